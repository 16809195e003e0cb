// The hashes that everything shares: XXH3 of bytes, and a mixer for 64-bit integers.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace neardup {

/// A 128-bit digest. `high` holds the more significant half of the canonical (big-endian) form.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

/// Returns XXH3-64 of `bytes` under `seed`.
[[nodiscard]] uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

/// Returns XXH3-128 of `bytes` under `seed`.
[[nodiscard]] Hash128 hash128(std::string_view bytes, uint64_t seed = 0);

/// Returns a well-mixed permutation of `x` (the finalizer of MurmurHash3, Appleby; constants by Stafford, variant 13).
[[nodiscard]] constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Returns `value` as 16 lower-case hexadecimal digits, and 32 digits for a Hash128.
[[nodiscard]] std::string to_hex(uint64_t value);
[[nodiscard]] std::string to_hex(const Hash128& value);

}  // namespace neardup
