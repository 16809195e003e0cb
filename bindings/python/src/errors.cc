#include "errors.h"

#include <array>
#include <string>

#include "neardup/base/code_table.h"
#include "words.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// They live as long as the process, as modules of this kind do.
std::array<PyObject*, kCodeTable.size()> exceptions = {};

PyObject* new_exception(const std::string& name, const char* doc, const nb::handle& bases) {
  PyObject* made = PyErr_NewExceptionWithDoc(name.c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  return made;
}

}  // namespace

void define_errors(nb::module_& module) {
  const nb::object base = nb::steal(new_exception(
      "neardup.Error", "What neardup could not do; `code` is the stable name of the kind.", nb::handle()));
  module.attr("Error") = base;
  const nb::module_ builtins = nb::module_::import_("builtins");
  for (const CodeRow& row : kCodeTable) {
    const nb::object bases = nb::make_tuple(base, builtins.attr(row.parent));
    PyObject* made = new_exception(std::string("neardup.") + row.exception, "", bases);
    exceptions[static_cast<size_t>(row.code)] = made;
    nb::object type = nb::borrow(made);
    type.attr("code") = nb::str(row.name.data(), row.name.size());
    module.attr(row.exception) = type;
  }
}

void raise(const Error& error) {
  const std::string message = in_python_words(error.message);
  PyErr_SetString(exceptions[static_cast<size_t>(error.code)], message.c_str());
  throw nb::python_error();
}

}  // namespace neardup::python
