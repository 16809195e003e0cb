// The page of a run over rows: what Python shows of a result.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_report(nanobind::module_& module);

}  // namespace neardup::python
