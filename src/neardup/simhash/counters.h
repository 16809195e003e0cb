// The plain definition of SimHash: what the kernels must agree with, and what people can follow by hand.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint/value.h"

namespace neardup::simhash {

/// A feature whose hash is spelt out, first bit first: "101" is the sign vector (1, -1, 1).
struct SpeltFeature {
  std::string_view bits;  // '0' and '1'
  double weight = 1;
};

/// Returns the `num_bits` counters of `features`, in the order of their bits.
/// Requires: each feature has num_bits bits.
[[nodiscard]] std::vector<double> simhash_counters(std::span<const SpeltFeature> features, size_t num_bits);

/// Returns '1' for each counter > 0 and '0' for the others, in order.
[[nodiscard]] std::string simhash_bits(std::span<const double> counters);

/// Kernels need units below this.
inline constexpr uint32_t kMaxUnits = uint32_t{1} << 20;

/// Writes each weight in fixed point to out[0 .. weights.size()) and returns the value of one unit: the power of two
/// with which the greatest weight lies in [2^19, 2^20) units. Weights are rounded to the nearest unit (halves up; never
/// to 2^20). So all kernels on all machines give the same bits, nothing overflows, and scaling all weights by a power
/// of two changes nothing. NaN and weights <= 0 count as 0, greater ones than the greatest float as that.
double to_fixed_point(std::span<const float> weights, uint32_t* out);

/// Returns the 64 counters of features with such weights, in units: counter i belongs to bit i, the least significant
/// is 0.
[[nodiscard]] std::array<int64_t, fingerprint::kNumBits> reference_counters(std::span<const uint64_t> hashes,
                                                                            std::span<const uint32_t> units);

/// Returns the fingerprint by the definition, in integers. Slow: the oracle of tests.
[[nodiscard]] fingerprint::Fingerprint simhash_reference(std::span<const uint64_t> hashes,
                                                         std::span<const uint32_t> units);

}  // namespace neardup::simhash
