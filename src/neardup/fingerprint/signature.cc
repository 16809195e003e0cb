#include "neardup/fingerprint/signature.h"

#include <algorithm>
#include <cmath>

#include "neardup/fingerprint/equal_values.h"

namespace neardup::fingerprint {
namespace {

constexpr double kChance = 1.0 / 65536;  // that two different elements give the same value

}  // namespace

size_t count_equal(std::span<const SignatureValue> a, std::span<const SignatureValue> b) {
  uint64_t mask[mask_words(kMaxSignatureValues)];
  return static_cast<size_t>(equal_values(a.data(), b.data(), a.size(), mask));
}

double estimated_jaccard(size_t num_equal, size_t num_values) {
  const double share = static_cast<double>(num_equal) / static_cast<double>(num_values);
  return std::max(0.0, (share - kChance) / (1 - kChance));
}

double jaccard_error(double jaccard, size_t num_values) {
  const double share = jaccard + (1 - jaccard) * kChance;
  return std::sqrt(share * (1 - share) / static_cast<double>(num_values)) / (1 - kChance);
}

}  // namespace neardup::fingerprint
