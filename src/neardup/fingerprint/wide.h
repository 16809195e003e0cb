// Fingerprints of 128 bits, and the few operations that code for both widths needs.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "neardup/fingerprint/value.h"

namespace neardup::fingerprint {

/// A SimHash value of 128 bits. An integer like any other: shifts, XOR and comparison work.
__extension__ using Fingerprint128 = unsigned __int128;

/// The fingerprint types that the Hamming engine is made for.
template <class F>
concept AnyFingerprint = std::same_as<F, Fingerprint> || std::same_as<F, Fingerprint128>;

/// Bits of a fingerprint of type F: 64 or 128.
template <AnyFingerprint F>
inline constexpr int kBitsOf = static_cast<int>(8 * sizeof(F));

/// The greatest distance offered for fingerprints of type F: 16 of 64 bits, 32 of 128.
template <AnyFingerprint F>
inline constexpr int kMaxDistanceOf = kBitsOf<F> / 4;

template <AnyFingerprint F>
[[nodiscard]] constexpr int count_ones(F value) {
  if constexpr (sizeof(F) == sizeof(uint64_t)) {
    return std::popcount(value);
  } else {
    return std::popcount(static_cast<uint64_t>(value)) + std::popcount(static_cast<uint64_t>(value >> 64));
  }
}

/// Returns the number of bits in which two fingerprints of the same width differ.
template <AnyFingerprint F>
[[nodiscard]] constexpr int distance_of(F a, F b) {
  return count_ones<F>(a ^ b);
}

}  // namespace neardup::fingerprint
