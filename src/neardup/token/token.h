// token: normalised text -> tokens.
#pragma once

#include <cstdint>

namespace neardup::token {

/// One token of a normalised text.
struct Token {
  uint32_t begin = 0;        // offset of its first byte in the normalised text
  uint32_t size_bytes = 0;
  uint64_t hash = 0;         // seeded XXH3-64 of its bytes (of its stem, where stemming is on)
};

}  // namespace neardup::token
