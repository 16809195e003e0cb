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

const char* doc_of(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "An argument, or what a file asks for, is not what there is; nothing was done.";
    case Code::kNotFound:
      return "There is no such file, folder or name.";
    case Code::kIo:
      return "A file could not be read or written.";
    case Code::kDiskFull:
      return "There is no room on the disk; what was acknowledged is kept.";
    case Code::kCorruption:
      return "A file is not what it says; the message names it and the cure.";
    case Code::kMismatch:
      return "Two that cannot be compared, such as fingerprints of two recipes.";
    case Code::kMemory:
      return "The work does not fit into memory=; the message says what it takes.";
    case Code::kUnsupported:
      return "What neardup does not do, and what does it instead.";
    case Code::kCancelled:
      return "The work was stopped.";
  }
  return "";
}

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
    PyObject* made = new_exception(std::string("neardup.") + row.exception, doc_of(row.code), bases);
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
