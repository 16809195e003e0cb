#include "neardup/fingerprint/signature.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/fingerprint/signature.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::fingerprint {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whole steps of kSignatureStep values, so vectors of at most that many leave no rest.
size_t equal_values(const SignatureValue* a, const SignatureValue* b, size_t size) {
  const hn::CappedTag<uint16_t, kSignatureStep> d;
  size_t count = 0;
  for (size_t i = 0; i < size; i += hn::Lanes(d)) {
    count += hn::CountTrue(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::fingerprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::fingerprint {
namespace {

constexpr double kChance = 1.0 / 65536;  // that two different elements give the same value

HWY_EXPORT(equal_values);

}  // namespace

size_t count_equal(std::span<const SignatureValue> a, std::span<const SignatureValue> b) {
  return HWY_DYNAMIC_DISPATCH(equal_values)(a.data(), b.data(), a.size());
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

#endif  // HWY_ONCE
