// The text that fingerprints are made of.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_text(nanobind::module_& module);

}  // namespace neardup::python
