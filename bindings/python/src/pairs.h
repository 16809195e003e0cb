// All pairs of texts, fingerprints or signatures that are near each other.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_pairs(nanobind::module_& module);

}  // namespace neardup::python
