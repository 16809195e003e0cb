// Deduplication of columns and of files.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_dedup(nanobind::module_& module);

}  // namespace neardup::python
