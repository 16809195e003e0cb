// Duplicate lines removed, of columns and of files.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_lines(nanobind::module_& module);

}  // namespace neardup::python
