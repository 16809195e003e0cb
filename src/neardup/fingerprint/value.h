// The 64-bit value that stands for a document, and its distance.
#pragma once

#include <bit>
#include <cstdint>

namespace neardup::fingerprint {

/// A SimHash value. Bit i (counted from the least significant) is the sign of counter i.
using Fingerprint = uint64_t;

inline constexpr int kNumBits = 64;
/// Distances beyond this are not offered: at 64 bits they hold more chance than evidence.
inline constexpr int kMaxDistance = 16;

/// Returns the number of bits in which `a` and `b` differ (0..64).
[[nodiscard]] constexpr int distance(Fingerprint a, Fingerprint b) { return std::popcount(a ^ b); }

}  // namespace neardup::fingerprint
