// Each pair once without a set of pairs that were seen: whether an earlier table has met a pair follows from a XOR b
// alone. So memory does not grow with the pairs, threads share nothing, and the order of tables decides, not that of
// time. Proof: docs/hamming.md, "Each once".
#include "neardup/join/rules.h"

#include <algorithm>

// The target with a vector popcount is off by default in Highway 1.0.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/join/rules.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::join::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kBatch = 64;

// met[i] = 1 where a rule has met hits[i], for kBatch hits.
void find_met(const match::Hit* hits, const Rules& rules, uint64_t* met) {
  const hn::CappedTag<uint64_t, kBatch> d;
  const auto one = hn::Set(d, 1);
  for (size_t i = 0; i < kBatch; i += hn::Lanes(d)) {
    hn::Vec<decltype(d)> a, b;
    hn::LoadInterleaved2(d, reinterpret_cast<const uint64_t*>(hits + i), a, b);
    const auto differing = hn::Xor(a, b);
    auto any = hn::Zero(d);
    for (const JoinBlock& rule : rules) {
      const auto count = hn::PopulationCount(hn::And(differing, hn::Set(d, rule.mask)));
      const auto limit = hn::Set(d, static_cast<uint64_t>(rule.threshold));
      // The sign of the difference, for unsigned comparisons of 64 bits are dear before AVX-512.
      any = hn::Or(any, hn::AndNot(hn::ShiftRight<63>(hn::Sub(limit, count)), one));
    }
    hn::StoreU(any, d, met + i);
  }
}

// Without a branch: whether a hit was met is hard to foresee.
size_t keep(const match::Hit* hits, const uint64_t* met, size_t count, match::Hit* out) {
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) {
    out[size] = hits[i];
    size += 1 - met[i];
  }
  return size;
}

size_t drop_met_target(std::span<const match::Hit> hits, const Rules& rules, match::Hit* out) {
  uint64_t met[kBatch];
  size_t size = 0, i = 0;
  for (; i + kBatch <= hits.size(); i += kBatch) {
    find_met(hits.data() + i, rules, met);
    size += keep(hits.data() + i, met, kBatch, out + size);
  }
  // The last few stand in a whole batch, so that the kernel has no tail; what fills it up is not kept.
  match::Hit rest[kBatch] = {};
  std::copy(hits.begin() + static_cast<ptrdiff_t>(i), hits.end(), rest);
  find_met(rest, rules, met);
  return size + keep(rest, met, hits.size() - i, out + size);
}

}  // namespace neardup::join::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::join {

HWY_EXPORT(drop_met_target);

size_t drop_met(std::span<const match::Hit> hits, const Rules& rules, match::Hit* out) {
  if (!rules.empty()) return HWY_DYNAMIC_DISPATCH(drop_met_target)(hits, rules, out);
  std::copy(hits.begin(), hits.end(), out);
  return hits.size();
}

}  // namespace neardup::join
#endif  // HWY_ONCE
