// Deduplicator and Store: documents that come one after the other.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void define_online(nanobind::module_& module);

}  // namespace neardup::python
