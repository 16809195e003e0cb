// How much memory this process has taken.
#pragma once

#include <cstdint>

namespace neardup {

/// Returns the most resident memory that this program held so far, in bytes; 0 where the system does not tell. Unlike
/// getrusage, what a parent process held before it started this program does not count.
[[nodiscard]] uint64_t peak_memory_bytes();

/// Gives memory that was freed, but is held back for what may be allocated next, to the system. Takes some 100 us.
void give_memory_back();

}  // namespace neardup
