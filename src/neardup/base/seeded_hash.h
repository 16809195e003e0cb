// 128-bit hashes that nobody can foresee, by a seed.
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup {

/// Returns XXH3-128 of `bytes` under `seed`; 0 gives hash128().
[[nodiscard]] Hash128 seeded_hash128(std::string_view bytes, uint64_t seed);

}  // namespace neardup
