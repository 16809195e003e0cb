// Time of the processor, which others that are at work do not change.
#pragma once

#include <ctime>

namespace neardup {

/// Returns what this process has used, all threads together.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace neardup
