#include "neardup/base/hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace neardup {

uint64_t hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 hash128(std::string_view bytes, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.high64, hash.low64};
}

std::string to_hex(uint64_t value) { return fmt::format("{:016x}", value); }

std::string to_hex(const Hash128& value) { return fmt::format("{:016x}{:016x}", value.high, value.low); }

}  // namespace neardup
