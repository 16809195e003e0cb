// Columns of lists.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "column.h"
#include "utf8.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

[[noreturn]] void refuse(uint64_t row, nb::handle value) {
  throw nb::type_error(
      ("row " + std::to_string(row) + " is " + name_of_type(value) + ", not str, bytes or None").c_str());
}

bool stands_for_nothing(nb::handle value) {
  return value.is_none() || (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr())));
}

bool is_ascii(nb::handle text) { return nb::cast<bool>(text.attr("isascii")()); }

/// Copies the UTF-8 of a text that is not ASCII. Half of a surrogate pair is passed on: the library repairs what is no
/// UTF-8.
std::string_view copied_utf8(PyObject* text, corpus::Arena& room) {
  const nb::gil_scoped_acquire acquire;
  const nb::object utf8 = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
  if (!utf8.is_valid()) {
    PyErr_Clear();
    throw std::bad_alloc();
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(utf8.ptr(), &data, &size);
  char* copy = room.reserve(static_cast<size_t>(size));
  std::memcpy(copy, data, static_cast<size_t>(size));
  room.use(static_cast<size_t>(size));
  return {copy, static_cast<size_t>(size)};
}

class ListColumn : public Column {
 public:
  explicit ListColumn(const nb::list& values) {
    values_.reserve(values.size());
    objects_.reserve(values.size());
    for (nb::handle value : values) add(value);
  }
  uint64_t size() const override { return values_.size(); }
  bool is_null(uint64_t row) const override { return values_[row].kind == Kind::kNull; }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena& room) const override {
    const Value& value = values_[row];
    if (value.kind == Kind::kNull) return {};
    if (value.kind == Kind::kView) return std::string_view(value.data, value.size);
    return copied_utf8(value.object, room);
  }
  uint64_t text_bytes(uint64_t row) const override { return values_[row].size; }

 private:
  enum class Kind : uint8_t { kNull, kView, kNoAscii };
  struct Value {
    const char* data = nullptr;  // of kView
    PyObject* object = nullptr;  // of kNoAscii; objects_ keeps it
    size_t size = 0;             // of kNoAscii about that
    Kind kind = Kind::kNull;
  };

  void add(nb::handle value) {
    if (stands_for_nothing(value)) return values_.push_back({});
    const bool is_text = PyUnicode_Check(value.ptr());
    if (!is_text && !PyBytes_Check(value.ptr())) refuse(values_.size(), value);
    objects_.push_back(nb::borrow(value));
    if (!is_text) return add_bytes(value);
    is_ascii(value) ? add_ascii(value) : add_other(value);
  }
  void add_ascii(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    values_.push_back({.data = data, .size = static_cast<size_t>(size), .kind = Kind::kView});
  }
  // Python would keep the UTF-8 for as long as the text lives; a copy of each would be the texts once more.
  void add_other(nb::handle text) {
    const auto size = nb::cast<size_t>(text.attr("__sizeof__")());
    values_.push_back({.object = text.ptr(), .size = size, .kind = Kind::kNoAscii});
  }
  void add_bytes(nb::handle bytes) {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
    values_.push_back({.data = data, .size = static_cast<size_t>(size), .kind = Kind::kView});
  }

  std::vector<Value> values_;
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
