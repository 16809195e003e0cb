// What counts for a query is how full its bucket is, and queries are spread like the set: so full buckets are met
// often. That is the number of pairs that share a prefix, which clusters and biased bits both raise; a sample's pairs
// in proportion to those of even spread say it for the whole set. Entropies of single bits would miss clusters
// (docs/design/planner.md).
#include "neardup/planner/skew.h"

#include <algorithm>
#include <cmath>

#include "neardup/hamming/key_order.h"

namespace neardup::planner {
namespace {

using fingerprint::Fingerprint128;
constexpr size_t kSample = size_t{1} << 17;

}  // namespace

template <fingerprint::AnyFingerprint F>
Skew::Skew(std::span<const F> fingerprints) {
  const size_t step = std::max<size_t>(1, (fingerprints.size() + kSample - 1) / kSample);
  for (size_t i = 0; i < fingerprints.size(); i += step) sample_.push_back(fingerprints[i]);
  std::sort(sample_.begin(), sample_.end());
  sample_.erase(std::unique(sample_.begin(), sample_.end()), sample_.end());
}

double Skew::fullness_of(std::vector<Fingerprint128>& prefixes, int bits) const {
  std::sort(prefixes.begin(), prefixes.end());
  double pairs = 0;
  for (size_t begin = 0, end = 0; begin < prefixes.size(); begin = end) {
    while (end < prefixes.size() && prefixes[end] == prefixes[begin]) ++end;
    const auto run = static_cast<double>(end - begin);
    pairs += run * (run - 1) / 2;
  }
  const auto size = static_cast<double>(prefixes.size());
  const double expected = std::ldexp(size * (size - 1) / 2, -bits);
  // What chance alone may have added is no skew: three standard deviations, and three pairs.
  const double beyond_chance = pairs - 3 * std::sqrt(expected) - 3;
  return beyond_chance > expected ? pairs / expected : 1;
}

double Skew::fullness(const hamming::TableLayout& table) const {
  if (is_even() || table.prefix_bits == 0) return 1;
  // Bits beyond 64 are in no sample of 64-bit fingerprints: the two orders differ in width.
  std::vector<Fingerprint128> prefixes;
  prefixes.reserve(sample_.size());
  const int num_bits = static_cast<int>(table.order.size());
  if (num_bits == 64) {
    const hamming::KeyOrder<uint64_t> order(table.order);
    for (const Fingerprint128 value : sample_) {
      prefixes.push_back(order.key_of(static_cast<uint64_t>(value)) >> (64 - table.prefix_bits));
    }
  } else {
    const hamming::KeyOrder<Fingerprint128> order(table.order);
    for (const Fingerprint128 value : sample_) prefixes.push_back(order.key_of(value) >> (128 - table.prefix_bits));
  }
  return fullness_of(prefixes, table.prefix_bits);
}

double Skew::fullness(int top, int bits) const {
  if (is_even() || bits == 0) return 1;
  const Fingerprint128 ones = bits >= 128 ? ~Fingerprint128{0} : (Fingerprint128{1} << bits) - 1;
  std::vector<Fingerprint128> prefixes;
  prefixes.reserve(sample_.size());
  for (const Fingerprint128 value : sample_) prefixes.push_back(value >> (top + 1 - bits) & ones);
  return fullness_of(prefixes, bits);
}

template Skew::Skew(std::span<const fingerprint::Fingerprint>);
template Skew::Skew(std::span<const Fingerprint128>);

}  // namespace neardup::planner
