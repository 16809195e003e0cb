// Sums of floats depend on their order, and with it on the width of vectors; sums of integers do not. So weights become
// integers first, of 20 bits: 4,096 of them fit in a counter of 32. The scale is a power of two, so it rounds nothing
// by itself, and a NaN, an infinity or a negative weight has a meaning before it is scaled.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "neardup/simhash/counters.h"

// No vectors here either: loops that the compiler turns into vectors with the instructions of each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/simhash/fixed_point.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::simhash {
namespace HWY_NAMESPACE {

// The bits of a weight that is NaN or not above 0 as those of 0, of infinity as those of the greatest float. Bits of
// floats that are not negative are in the order of the floats.
HWY_INLINE int32_t clean_bits(float weight) {
  constexpr int32_t kInfinity = 0x7F800000;
  const auto bits = std::bit_cast<int32_t>(weight);
  const int32_t finite = std::min(bits, kInfinity - 1);
  return bits > kInfinity ? 0 : std::max(finite, 0);
}

float greatest(const float* weights, size_t size) {
  int32_t bits = 0;
  for (size_t i = 0; i < size; ++i) bits = std::max(bits, clean_bits(weights[i]));
  return std::bit_cast<float>(bits);
}

void scale_weights(const float* HWY_RESTRICT weights, size_t size, double scale, uint32_t* HWY_RESTRICT out) {
  for (size_t i = 0; i < size; ++i) {
    const double scaled = static_cast<double>(std::bit_cast<float>(clean_bits(weights[i]))) * scale + 0.5;
    out[i] = std::min(static_cast<uint32_t>(static_cast<int32_t>(scaled)), kMaxUnits - 1);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::simhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::simhash {
namespace {

HWY_EXPORT(greatest);
HWY_EXPORT(scale_weights);

}  // namespace

double to_fixed_point(std::span<const float> weights, uint32_t* out) {
  const float most = HWY_DYNAMIC_DISPATCH(greatest)(weights.data(), weights.size());
  int exponent = 0;
  std::frexp(most, &exponent);  // most is in [2^(exponent - 1), 2^exponent)
  // A scale beyond the range of float is possible for subnormal weights only; double holds them all.
  const double scale = std::ldexp(1.0, 20 - exponent);
  HWY_DYNAMIC_DISPATCH(scale_weights)(weights.data(), weights.size(), scale, out);
  return 1.0 / scale;
}

}  // namespace neardup::simhash

#endif  // HWY_ONCE
