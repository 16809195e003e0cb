// neardup.compat: MinHash sketches and their index, as datasketch has them.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_sketches(nanobind::module_& module);

}  // namespace neardup::python
