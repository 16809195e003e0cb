// Fingerprints and signatures of columns, distances, and the static index.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_fingerprints(nanobind::module_& module);

}  // namespace neardup::python
