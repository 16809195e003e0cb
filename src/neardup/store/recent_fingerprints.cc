#include "neardup/store/recent_fingerprints.h"

#include "neardup/store/fingerprint_words.h"

namespace neardup::store {
namespace {

using fingerprint::AnyFingerprint;
using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

// Whether one of four (of eight) equal parts is zero, or may be: a few steps without a branch, where counting bits
// takes a call on processors that this is compiled for.
bool may_have_zero_quarter(Fingerprint bits) { return ((bits - 0x0001000100010001) & ~bits & 0x8000800080008000) != 0; }
bool may_have_zero_eighth(Fingerprint bits) { return ((bits - 0x0101010101010101) & ~bits & 0x8080808080808080) != 0; }

// One word is within half of the distance, or closer.
bool may_be_within(Fingerprint bits, int max_distance) {
  if (max_distance < 4) return may_have_zero_quarter(bits);
  return max_distance >= 8 || may_have_zero_eighth(bits);
}
bool may_be_within(Fingerprint128 bits, int max_distance) {
  return may_be_within(static_cast<Fingerprint>(bits), max_distance / 2) ||
         may_be_within(static_cast<Fingerprint>(bits >> 64), max_distance / 2);
}

// Fewer bits differ than there are parts: one of them is equal.
template <AnyFingerprint F>
bool is_within(F a, F b, int max_distance) {
  return may_be_within(a ^ b, max_distance) && fingerprint::distance_of<F>(a, b) <= max_distance;
}

}  // namespace

template <AnyFingerprint F>
bool RecentFingerprints<F>::may_reach(uint64_t first, std::span<const uint64_t> words, int max_distance) const {
  if (words.empty()) return false;
  const uint64_t end = count_ - std::min(count_, kMost);
  for (uint64_t i = count_; i > end; --i) {
    const uint64_t place = (i - 1) % kMost;
    if (numbers_[place] < first) return false;
    for (size_t which = 0; which < stride_; ++which)
      if (is_within<F>(fingerprints_[place * stride_ + which], value_at<F>(words, which), max_distance)) return true;
  }
  return end > 0;
}

template class RecentFingerprints<Fingerprint>;
template class RecentFingerprints<Fingerprint128>;

}  // namespace neardup::store
