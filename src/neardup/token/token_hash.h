// The hash of a token, inline for the hot loop.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace neardup::token {

struct HashSecret {
  uint64_t seed;
  explicit HashSecret(uint64_t seed_) : seed(seed_) {}
};

inline uint64_t hash_token(const HashSecret& secret, const char* bytes, size_t size) {
  return XXH3_64bits_withSeed(bytes, size, secret.seed);
}

}  // namespace neardup::token
