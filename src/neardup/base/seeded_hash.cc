#include "neardup/base/seeded_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace neardup {

Hash128 seeded_hash128(std::string_view bytes, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.high64, hash.low64};
}

}  // namespace neardup
