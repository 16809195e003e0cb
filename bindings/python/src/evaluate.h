// How right a recipe and its rules are, held against labels.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_evaluate(nanobind::module_& module);

}  // namespace neardup::python
