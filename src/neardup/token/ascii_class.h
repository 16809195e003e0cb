// The ASCII part of tokenizing, many bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::token {

/// Sets bit i of `alnum` where byte i of `text` is an ASCII letter or digit, bit i of `high` where it is not ASCII; all
/// other bits of the size / 64 + 1 words become 0. Cost: SIMD of the machine (Highway), the same result for each.
void classify_ascii(const char* text, size_t size, uint64_t* alnum, uint64_t* high);

}  // namespace neardup::token
