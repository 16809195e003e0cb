// Errors of the library as exceptions of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>
#include <utility>

#include "neardup/base/result.h"

namespace neardup::python {

/// Puts neardup.Error and one class for each row of base/code_table.h into the module.
void define_errors(nanobind::module_& module);

/// Throws the exception that stands for `error`. Requires: the GIL is held.
[[noreturn]] void raise(const Error& error);

/// Returns the value of `result`; raises its error. Requires: the GIL is held.
template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace neardup::python
