#include "utf8.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace neardup::python {
namespace {

std::string_view bytes_view(nb::handle bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

PyObject* decoded(std::string_view text, const char* errors) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), errors);
}

}  // namespace

Utf8::Utf8(nb::handle value, const char* name) {
  if (PyBytes_Check(value.ptr())) {
    view_ = bytes_view(value);
    return;
  }
  if (!PyUnicode_Check(value.ptr()))
    throw nb::type_error((std::string(name) + " is " + name_of_type(value) + ", not str or bytes").c_str());
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(value.ptr(), &size); data != nullptr) {
    view_ = {data, static_cast<size_t>(size)};
    return;
  }
  PyErr_Clear();
  encoded_ = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogatepass"));
  if (!encoded_.is_valid()) throw nb::python_error();
  view_ = bytes_view(encoded_);
}

std::string name_of_type(nb::handle value) {
  return nb::cast<std::string>(nb::str(nb::handle(value.type()).attr("__name__")));
}

nb::object str_of(std::string_view text) {
  if (PyObject* made = decoded(text, "surrogatepass")) return nb::steal(made);
  PyErr_Clear();
  PyObject* made = decoded(text, "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

}  // namespace neardup::python
