#include "neardup/store/recent_fingerprints.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;

// Whether one of four (of eight) equal parts is zero, or may be: a few steps without a branch, where counting bits
// takes a call on processors that this is compiled for.
bool may_have_zero_quarter(Fingerprint bits) { return ((bits - 0x0001000100010001) & ~bits & 0x8000800080008000) != 0; }
bool may_have_zero_eighth(Fingerprint bits) { return ((bits - 0x0101010101010101) & ~bits & 0x8080808080808080) != 0; }

// Fewer bits differ than there are parts: one of them is equal.
bool is_within(Fingerprint a, Fingerprint b, int max_distance) {
  if (max_distance < 4 && !may_have_zero_quarter(a ^ b)) return false;
  if (max_distance < 8 && !may_have_zero_eighth(a ^ b)) return false;
  return fingerprint::distance(a, b) <= max_distance;
}

}  // namespace

bool RecentFingerprints::may_reach(uint64_t first, std::span<const Fingerprint> fingerprints, int max_distance) const {
  if (fingerprints.empty()) return false;
  const uint64_t end = count_ - std::min(count_, kMost);
  for (uint64_t i = count_; i > end; --i) {
    const uint64_t place = (i - 1) % kMost;
    if (numbers_[place] < first) return false;
    for (size_t which = 0; which < fingerprints.size(); ++which)
      if (is_within(fingerprints_[place * stride_ + which], fingerprints[which], max_distance)) return true;
  }
  return end > 0;
}

}  // namespace neardup::store
