// How many files and connections the process may have open.
#pragma once

#include <cstdint>

namespace neardup {

/// Lets the process have `wanted` descriptors open (`ulimit -n`), or as many as the hard limit allows; lowers nothing.
/// Returns how many it may have; UINT64_MAX where nobody can tell.
uint64_t raise_open_files(uint64_t wanted);

}  // namespace neardup
