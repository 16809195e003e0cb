// Written to be read, not to be fast: what tests hold the kernels against, and what people follow by hand. The counters
// of spelt features are of double, as people write weights; those of fingerprints are integers, so that the order of
// features changes nothing.
#include "neardup/simhash/counters.h"

namespace neardup::simhash {

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
