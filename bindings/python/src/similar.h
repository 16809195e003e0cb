// similar_files(): names of files in bytes, as they may hold anything.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_similar(nanobind::module_& module);

}  // namespace neardup::python
