#include "neardup/simhash/counters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neardup::simhash {
namespace {

float clean_weight(float weight) { return weight > 0 ? std::min(weight, std::numeric_limits<float>::max()) : 0.0F; }

}  // namespace

std::vector<double> simhash_counters(std::span<const SpeltFeature> features, size_t num_bits) {
  std::vector<double> counters(num_bits, 0.0);
  for (const SpeltFeature& feature : features) {
    for (size_t i = 0; i < num_bits; ++i) counters[i] += feature.bits[i] == '1' ? feature.weight : -feature.weight;
  }
  return counters;
}

std::string simhash_bits(std::span<const double> counters) {
  std::string bits;
  for (const double counter : counters) bits += counter > 0 ? '1' : '0';
  return bits;
}

double to_fixed_point(std::span<const float> weights, uint32_t* out) {
  float greatest = 0;
  for (const float weight : weights) greatest = std::max(greatest, clean_weight(weight));
  int exponent = 0;
  std::frexp(greatest, &exponent);  // greatest is in [2^(exponent - 1), 2^exponent)
  // A scale beyond the range of float is possible for subnormal weights only; double holds them all.
  const double scale = std::ldexp(1.0, 20 - exponent);
  for (size_t i = 0; i < weights.size(); ++i) {
    const double scaled = static_cast<double>(clean_weight(weights[i])) * scale + 0.5;
    out[i] = std::min(static_cast<uint32_t>(scaled), kMaxUnits - 1);
  }
  return 1.0 / scale;
}

std::array<int64_t, fingerprint::kNumBits> reference_counters(std::span<const uint64_t> hashes,
                                                              std::span<const uint32_t> units) {
  std::array<int64_t, fingerprint::kNumBits> counters{};
  for (size_t feature = 0; feature < hashes.size(); ++feature) {
    for (size_t i = 0; i < counters.size(); ++i) {
      const bool bit = (hashes[feature] >> i & 1) != 0;
      counters[i] += bit ? int64_t{units[feature]} : -int64_t{units[feature]};
    }
  }
  return counters;
}

fingerprint::Fingerprint simhash_reference(std::span<const uint64_t> hashes, std::span<const uint32_t> units) {
  const auto counters = reference_counters(hashes, units);
  fingerprint::Fingerprint bits = 0;
  for (size_t i = 0; i < counters.size(); ++i) bits |= uint64_t{counters[i] > 0} << i;
  return bits;
}

}  // namespace neardup::simhash
