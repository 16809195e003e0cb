#include "neardup/fingerprint/equal_values.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/fingerprint/equal_values.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::fingerprint {
namespace HWY_NAMESPACE {

int equal_kernel(const SignatureValue* a, const SignatureValue* b, size_t num_values, uint64_t* mask) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<uint16_t, 64> d;
  const size_t lanes = hn::Lanes(d);
  int count = 0;
  for (size_t first = 0, word = 0; first < num_values; first += 64, ++word) {
    const size_t end = std::min(first + 64, num_values);
    uint64_t bits = 0;
    size_t i = first;
    for (; i + lanes <= end; i += lanes) {
      alignas(8) uint8_t part[8] = {};
      hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), part);
      uint64_t equal = 0;
      for (int k = 0; k < 8; ++k) equal |= uint64_t{part[k]} << (8 * k);
      bits |= equal << (i - first);
    }
    for (; i < end; ++i) bits |= uint64_t{a[i] == b[i]} << (i - first);
    mask[word] = bits;
    count += std::popcount(bits);
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::fingerprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::fingerprint {
namespace {

HWY_EXPORT(equal_kernel);

}  // namespace

int equal_values(const SignatureValue* a, const SignatureValue* b, size_t num_values, uint64_t* mask) {
  return HWY_DYNAMIC_DISPATCH(equal_kernel)(a, b, num_values, mask);
}

int equal_values_scalar(const SignatureValue* a, const SignatureValue* b, size_t num_values, uint64_t* mask) {
  std::fill_n(mask, mask_words(num_values), 0);
  int count = 0;
  for (size_t i = 0; i < num_values; ++i) {
    mask[i / 64] |= uint64_t{a[i] == b[i]} << i % 64;
    count += a[i] == b[i];
  }
  return count;
}

}  // namespace neardup::fingerprint

#endif  // HWY_ONCE
