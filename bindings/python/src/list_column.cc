// Columns of lists.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "column.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

[[noreturn]] void refuse(uint64_t row, nb::handle value) {
  const std::string type = nb::cast<std::string>(nb::str(nb::handle(value.type()).attr("__name__")));
  throw nb::type_error(("row " + std::to_string(row) + " is " + type + ", not str, bytes or None").c_str());
}

bool stands_for_nothing(nb::handle value) {
  return value.is_none() || (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr())));
}

bool is_ascii(nb::handle text) { return nb::cast<bool>(text.attr("isascii")()); }

class ListColumn : public Column {
 public:
  explicit ListColumn(const nb::list& values) {
    texts_.reserve(values.size());
    objects_.reserve(values.size());
    for (nb::handle value : values) add(value);
  }
  uint64_t size() const override { return texts_.size(); }
  bool is_null(uint64_t row) const override { return !texts_[row]; }
  std::optional<std::string_view> text(uint64_t row) const override { return texts_[row]; }

 private:
  void add(nb::handle value) {
    if (stands_for_nothing(value)) return texts_.push_back({});
    if (PyUnicode_Check(value.ptr())) return add_text(value);
    if (PyBytes_Check(value.ptr())) return add_bytes(nb::borrow(value));
    refuse(texts_.size(), value);
  }
  // ASCII is what the object holds. Of anything else Python would keep its UTF-8 for as long as the text lives.
  void add_text(nb::handle value) {
    if (!is_ascii(value)) return add_bytes(utf8_of(value));
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    texts_.emplace_back(std::string_view(data, static_cast<size_t>(size)));
    objects_.push_back(nb::borrow(value));
  }
  void add_bytes(nb::object bytes) {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
    texts_.emplace_back(std::string_view(data, static_cast<size_t>(size)));
    objects_.push_back(std::move(bytes));
  }
  // Half of a surrogate pair is passed on: the library repairs what is no UTF-8.
  static nb::object utf8_of(nb::handle text) {
    PyObject* bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
    if (bytes == nullptr) throw nb::python_error();
    return nb::steal(bytes);
  }

  std::vector<std::optional<std::string_view>> texts_;
  std::vector<nb::object> objects_;
};

}  // namespace

std::unique_ptr<Column> column_of_list(const nb::list& values) { return std::make_unique<ListColumn>(values); }

void define_columns(nb::module_& module) {
  nb::class_<Column>(module, "Column")
      .def("__len__", &Column::size)
      .def("is_null", [](const Column& column, uint64_t row) {
        if (row >= column.size()) throw nb::index_error();
        return column.is_null(row);
      });
  module.def("column_of_list", &column_of_list, nb::arg("values"));
  module.def("column_of_arrow", &column_of_arrow, nb::arg("exporter"), nb::arg("texts") = true);
}

}  // namespace neardup::python
