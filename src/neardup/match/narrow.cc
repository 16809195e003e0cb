// As kernels.cc, on the low halves of fingerprints: registers hold twice as many, and the limit is a constant of the
// code as well, so that without an instruction that counts bits a difference is tested by clearing its lowest bit that
// many times.
// The halves only propose: what is within the limit in 32 bits is judged by all 64. `ones` bits of the buckets' numbers
// differ already, so that many fewer may differ in the low half. Two at the distance are never lost, since the low half
// cannot differ in more bits than the whole less `ones`.
#include "neardup/match/narrow.h"

#include <algorithm>

// The target with a vector popcount is off by default in Highway 1.0.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/match/narrow.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::match::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<uint32_t>;
using V = hn::Vec<D>;

constexpr size_t kTile = 8;
constexpr bool kCounts = HWY_TARGET == HWY_AVX3_DL;

// Is a difference of at most kLimit bits? Where the machine counts bits, by the count. Else the lowest one is cleared
// kLimit times, and nothing may be left. What nearest() returns is the smallest of many, so one test does for all.
template <int kLimit>
struct Test {
  static HWY_INLINE V measure(V a, V b) {
    V left = hn::Xor(a, b);
    if constexpr (kCounts) return hn::PopulationCount(left);
    const V all_ones = hn::Set(D(), ~uint32_t{0});
    for (int i = 0; i < kLimit; ++i) left = hn::And(left, hn::Add(left, all_ones));
    return left;
  }
  static HWY_INLINE bool reached(V smallest) {
    if constexpr (kCounts) return !hn::AllFalse(D(), hn::Lt(smallest, hn::Set(D(), uint32_t{kLimit + 1})));
    return !hn::AllFalse(D(), hn::Eq(smallest, hn::Zero(D())));
  }
};

// Up to kTile low halves of the left side, each spread over a whole register.
template <size_t kSize, int kLimit>
struct Tile {
  explicit HWY_INLINE Tile(const uint32_t* HWY_RESTRICT a) {
    const D d;
    v0 = hn::Set(d, a[0]);
    if constexpr (kSize > 1) v1 = hn::Set(d, a[1]);
    if constexpr (kSize > 2) v2 = hn::Set(d, a[2]);
    if constexpr (kSize > 3) v3 = hn::Set(d, a[3]);
    if constexpr (kSize > 4) v4 = hn::Set(d, a[4]);
    if constexpr (kSize > 5) v5 = hn::Set(d, a[5]);
    if constexpr (kSize > 6) v6 = hn::Set(d, a[6]);
    if constexpr (kSize > 7) v7 = hn::Set(d, a[7]);
  }

  HWY_INLINE V nearest(V b) const {
    using T = Test<kLimit>;
    V best = T::measure(v0, b);
    if constexpr (kSize > 1) best = hn::Min(best, T::measure(v1, b));
    if constexpr (kSize > 2) best = hn::Min(best, T::measure(v2, b));
    if constexpr (kSize > 3) best = hn::Min(best, T::measure(v3, b));
    if constexpr (kSize > 4) best = hn::Min(best, T::measure(v4, b));
    if constexpr (kSize > 5) best = hn::Min(best, T::measure(v5, b));
    if constexpr (kSize > 6) best = hn::Min(best, T::measure(v6, b));
    if constexpr (kSize > 7) best = hn::Min(best, T::measure(v7, b));
    return best;
  }

  V v0, v1, v2, v3, v4, v5, v6, v7;
};

// What a scan carries through its loops.
struct Job {
  const NarrowScan& scan;
  int max_distance;
  HitBuffer& hits;
};

// The rare path: words[i] of bucket x on the left against words[j] of bucket y on the right, by all their bits.
HWY_NOINLINE void judge(const Job& job, uint32_t x, uint32_t i, uint32_t y, uint32_t j) {
  const uint64_t a = job.scan.left.value(x, i), b = job.scan.right.value(y, j);
  if (fingerprint::distance(a, b) <= job.max_distance) job.hits.push(a, b);
}

// A vector of the right side from word j on holds a hit. Lanes beyond the end of the bucket are dropped here.
HWY_NOINLINE void collect(const Job& job, uint32_t x, uint32_t i, size_t num_left, uint32_t y, uint32_t j, int limit) {
  const uint32_t end = std::min<uint32_t>(job.scan.right.ranges[y].end, j + static_cast<uint32_t>(hn::Lanes(D())));
  for (; j < end; ++j) {
    for (uint32_t a = i; a < i + num_left; ++a) {
      if (std::popcount(job.scan.left.words[a] ^ job.scan.right.words[j]) <= limit) judge(job, x, a, y, j);
    }
  }
}

// The left words i.. of bucket x against bucket x ^ mask for each mask. Reads at least one vector, even of an empty
// bucket: cheaper than a branch. Neighbours of ascending x ascend too, hence the prefetch.
template <size_t kSize, int kLimit>
HWY_NOINLINE void scan_tile(const Job& job, uint32_t x, uint32_t i, std::span<const uint32_t> masks) {
  const D d;
  const NarrowBuckets& right = job.scan.right;
  const Tile<kSize, kLimit> tile(job.scan.left.words + i);
  for (const uint32_t mask : masks) {
    const NarrowRange range = right.ranges[x ^ mask];
    const uint32_t* HWY_RESTRICT words = right.words;
    uint32_t j = range.begin;
    hwy::Prefetch(words + j + 128);
    do {
      if (HWY_UNLIKELY(Test<kLimit>::reached(tile.nearest(hn::LoadU(d, words + j))))) {
        collect(job, x, i, kSize, x ^ mask, j, kLimit);
      }
      j += static_cast<uint32_t>(hn::Lanes(d));
    } while (j < range.end);
  }
}

// Calls body<n>() for n = number in [kFirst, kLast].
template <size_t kFirst, size_t kLast, class Body>
HWY_INLINE void with_constant(size_t number, const Body& body) {
  if constexpr (kFirst < kLast) {
    if (number > kFirst) return with_constant<kFirst + 1, kLast>(number, body);
  }
  body.template operator()<kFirst>();
}

template <int kLimit>
HWY_INLINE void scan_masks(const Job& job, uint32_t x, std::span<const uint32_t> masks) {
  const NarrowRange range = job.scan.left.ranges[x];
  uint32_t i = range.begin;
  for (; i + kTile <= range.end; i += kTile) scan_tile<kTile, kLimit>(job, x, i, masks);
  if (i == range.end) return;
  with_constant<1, kTile - 1>(range.end - i,
                              [&]<size_t kSize>() HWY_ATTR { scan_tile<kSize, kLimit>(job, x, i, masks); });
}

// A hit among words[i..i + lanes) and the words `first`..`last` places after each.
HWY_NOINLINE void collect_shifted(const Job& job, uint32_t x, uint32_t i, uint32_t first, uint32_t last, int limit) {
  const NarrowBuckets& side = job.scan.left;
  const uint32_t end = side.ranges[x].end;
  for (uint32_t a = i; a < std::min<uint32_t>(i + static_cast<uint32_t>(hn::Lanes(D())), end); ++a) {
    for (uint32_t b = a + first; b <= std::min(a + last, end - 1); ++b) {
      if (std::popcount(side.words[a] ^ side.words[b]) <= limit) judge(job, x, a, x, b);
    }
  }
}

// Each word against the one s places after it, for s = 1, 2, ...: no pair twice and no triangle to cut off.
template <int kLimit>
HWY_NOINLINE void scan_inside(const Job& job, uint32_t x) {
  constexpr uint32_t kShifts = 8;
  using T = Test<kLimit>;
  const D d;
  const NarrowRange range = job.scan.left.ranges[x];
  const uint32_t* HWY_RESTRICT words = job.scan.left.words;
  for (uint32_t i = range.begin; i + 1 < range.end; i += static_cast<uint32_t>(hn::Lanes(d))) {
    const V base = hn::LoadU(d, words + i);
    for (uint32_t shift = 1; shift < range.end - i; shift += kShifts) {
      const uint32_t end = std::min(shift + kShifts, range.end - i);
      V best = T::measure(base, hn::LoadU(d, words + i + shift));
      for (uint32_t s = shift + 1; s < end; ++s) best = hn::Min(best, T::measure(base, hn::LoadU(d, words + i + s)));
      if (HWY_UNLIKELY(T::reached(best))) collect_shifted(job, x, i, shift, end - 1, kLimit);
    }
  }
}

// Returns those masks of a group that count for x.
HWY_INLINE std::span<const uint32_t> masks_of(const NarrowScan& scan, const NarrowMasks& group, uint32_t x) {
  if (!group.upward) return group.masks;
  uint32_t* out = scan.scratch;
  for (const uint32_t mask : group.masks) {
    *out = mask;
    out += (x ^ mask) > x;
  }
  return {scan.scratch, out};
}

void scan_narrow_target(const NarrowScan& scan, int max_distance, HitBuffer& hits) {
  const Job job{scan, max_distance, hits};
  for (uint32_t x = scan.begin; x < scan.end; ++x) {
    const uint32_t size = scan.left.ranges[x].size();
    if (size == 0 || size > scan.max_bucket) continue;
    if (scan.inside) {
      with_constant<0, kMaxNarrowDistance>(static_cast<size_t>(max_distance),
                                           [&]<size_t kLimit>() HWY_ATTR { scan_inside<kLimit>(job, x); });
    }
    for (const NarrowMasks& group : scan.groups) {
      const std::span<const uint32_t> masks = masks_of(scan, group, x);
      with_constant<0, kMaxNarrowDistance>(static_cast<size_t>(max_distance - group.ones),
                                           [&]<size_t kLimit>() HWY_ATTR { scan_masks<kLimit>(job, x, masks); });
    }
  }
}

// Buckets beyond this are cheaper to sort than to compare.
constexpr size_t kMaxCompared = 512;

HWY_INLINE bool has_equal(std::span<const uint32_t> words) {
  const D d;
  for (size_t i = 0; i + 1 < words.size(); i += hn::Lanes(d)) {
    const V base = hn::LoadU(d, words.data() + i);
    // The smallest difference as a number: zero where two are equal. Lanes beyond the end are told apart below.
    V smallest = hn::Set(d, ~uint32_t{0});
    for (size_t shift = 1; shift < words.size() - i; ++shift) {
      smallest = hn::Min(smallest, hn::Xor(base, hn::LoadU(d, words.data() + i + shift)));
    }
    if (HWY_LIKELY(hn::AllFalse(d, hn::Eq(smallest, hn::Zero(d))))) continue;
    for (size_t a = i; a < std::min(i + hn::Lanes(d), words.size()); ++a) {
      if (std::find(words.begin() + a + 1, words.end(), words[a]) != words.end()) return true;
    }
  }
  return false;
}

uint32_t next_with_equal_words_target(const uint32_t* words, const NarrowRange* ranges, uint32_t begin, uint32_t end) {
  for (uint32_t x = begin; x < end; ++x) {
    const size_t size = ranges[x].size();
    if (size > kMaxCompared || has_equal({words + ranges[x].begin, size})) return x;
  }
  return end;
}

size_t narrow_lanes_target() { return hn::Lanes(D()); }
// Measured on Zen 4.
double narrow_step_cycles_target(int limit) { return kCounts ? 3.2 : 0.9 + 0.6 * limit; }

}  // namespace neardup::match::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::match {

HWY_EXPORT(scan_narrow_target);
HWY_EXPORT(next_with_equal_words_target);
HWY_EXPORT(narrow_lanes_target);
HWY_EXPORT(narrow_step_cycles_target);

void scan_narrow(const NarrowScan& scan, int max_distance, HitBuffer& hits) {
  HWY_DYNAMIC_DISPATCH(scan_narrow_target)(scan, max_distance, hits);
}

uint32_t next_with_equal_words(const uint32_t* words, const NarrowRange* ranges, uint32_t begin, uint32_t end) {
  return HWY_DYNAMIC_DISPATCH(next_with_equal_words_target)(words, ranges, begin, end);
}

size_t narrow_lanes() { return HWY_DYNAMIC_DISPATCH(narrow_lanes_target)(); }
double narrow_step_cycles(int limit) { return HWY_DYNAMIC_DISPATCH(narrow_step_cycles_target)(limit); }

}  // namespace neardup::match
#endif  // HWY_ONCE
