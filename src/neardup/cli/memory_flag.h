// What --memory may be.
#pragma once

#include <cstdint>

#include "neardup/base/result.h"

namespace neardup::cli {

/// Returns whether --memory is enough for the program itself. Errors: kInvalidArgument, with the size as people type
/// it.
[[nodiscard]] Status check_memory(uint64_t memory_bytes);

}  // namespace neardup::cli
