// Buckets hold a handful of keys, so what takes time is beginning with one and a branch that is guessed wrong, not the
// XOR. Hence:
// - The number of left keys is a constant of the code, one loop for each of 1 to 8; it is the same for all masks of a
//   bucket, so the processor foresees the loops.
// - One test for a whole tile and vector, up to 64 pairs: the least distance of all. Hits are rare and go to a function
//   that is not inlined.
// - A vector is read even of an empty bucket, and beyond the end of any: lanes outside cost nothing and are dropped
//   where hits are collected. Therefore kPadding.
// Minimum and test stay exact: they decide only whether collect() looks, and that counts each pair again.
// docs/hamming.md, "How it is fast".
#include "neardup/match/kernels.h"

#include <algorithm>
#include <bit>

// The target with a vector popcount is off by default in Highway 1.0.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/match/kernels.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::match::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<uint64_t>;
using V = hn::Vec<D>;
using fingerprint::Fingerprint;

constexpr size_t kTile = 8;

// Up to kTile keys of the left side, each spread over a whole register, so that the inner loop only reads the right.
template <size_t kSize>
struct Tile {
  explicit HWY_INLINE Tile(const Fingerprint* HWY_RESTRICT a) {
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

  // Returns in each lane the smallest distance between that lane of b and the tile. The counts fit in a byte and the
  // bytes above are zero, so a minimum of bytes (one cheap instruction on every target) is one of the whole lanes.
  HWY_INLINE V nearest(V b) const {
    V best = count(v0, b);
    if constexpr (kSize > 1) best = smaller(best, count(v1, b));
    if constexpr (kSize > 2) best = smaller(best, count(v2, b));
    if constexpr (kSize > 3) best = smaller(best, count(v3, b));
    if constexpr (kSize > 4) best = smaller(best, count(v4, b));
    if constexpr (kSize > 5) best = smaller(best, count(v5, b));
    if constexpr (kSize > 6) best = smaller(best, count(v6, b));
    if constexpr (kSize > 7) best = smaller(best, count(v7, b));
    return best;
  }

  static HWY_INLINE V count(V a, V b) { return hn::PopulationCount(hn::Xor(a, b)); }
  static HWY_INLINE V smaller(V a, V b) {
#if HWY_TARGET == HWY_SCALAR
    return hn::Min(a, b);
#else
    const hn::Repartition<uint8_t, D> d8;
    return hn::BitCast(D(), hn::Min(hn::BitCast(d8, a), hn::BitCast(d8, b)));
#endif
  }

  V v0, v1, v2, v3, v4, v5, v6, v7;
};

// The rare path: a vector of the right side holds a hit. Lanes beyond the end of the bucket are dropped here.
HWY_NOINLINE void collect(const Fingerprint* a, size_t num_a, const Fingerprint* b, const Fingerprint* end,
                          int max_distance, HitBuffer& hits) {
  const D d;
  const V keys = hn::LoadU(d, b);
  const auto above = hn::Set(hn::RebindToSigned<D>(), max_distance + 1);
  const size_t num_keys = std::min(static_cast<size_t>(end - b), hn::Lanes(d));
  const uint64_t lanes = (uint64_t{1} << num_keys) - 1;
  for (size_t i = 0; i < num_a; ++i) {
    const V counts = hn::PopulationCount(hn::Xor(hn::Set(d, a[i]), keys));
    const auto within = hn::Lt(hn::BitCast(hn::RebindToSigned<D>(), counts), above);
    uint64_t bits = 0;
    hn::StoreMaskBits(hn::RebindToSigned<D>(), within, reinterpret_cast<uint8_t*>(&bits));
    for (uint64_t rest = bits & lanes; rest != 0; rest &= rest - 1) hits.push(a[i], b[std::countr_zero(rest)]);
  }
}

// Distance limit as the kernels want it: one above, in signed lanes (unsigned comparison costs more on AVX2).
struct Limit {
  explicit HWY_INLINE Limit(int max_distance) : distance(max_distance), above(hn::Set(Signed(), max_distance + 1)) {}
  using Signed = hn::RebindToSigned<D>;
  HWY_INLINE bool reached(V counts) const {
    return !hn::AllFalse(Signed(), hn::Lt(hn::BitCast(Signed(), counts), above));
  }
  int distance;
  hn::Vec<Signed> above;
};

// Right side [b, end) against a tile. Reads at least one vector, even of an empty bucket: cheaper than a branch.
template <size_t kSize>
HWY_INLINE void match_tile(const Tile<kSize>& tile, const Fingerprint* a, const Fingerprint* b, const Fingerprint* end,
                           const Limit& limit, HitBuffer& hits) {
  const D d;
  do {
    if (HWY_UNLIKELY(limit.reached(tile.nearest(hn::LoadU(d, b))))) {
      collect(a, kSize, b, end, limit.distance, hits);
    }
    b += hn::Lanes(d);
  } while (b < end);
}

// A tile against bucket x ^ mask for each mask. Neighbours of ascending x ascend too, hence the prefetch.
template <size_t kSize>
HWY_NOINLINE void scan_tile(const Fingerprint* a, const Buckets& right, uint32_t x, std::span<const uint32_t> masks,
                            const Limit& limit, HitBuffer& hits) {
  const Tile<kSize> tile(a);
  for (const uint32_t mask : masks) {
    const uint32_t y = x ^ mask;
    const Fingerprint* b = right.keys + right.offsets[y];
    hwy::Prefetch(b + 64);
    match_tile<kSize>(tile, a, b, right.keys + right.offsets[y + 1], limit, hits);
  }
}

template <size_t kSize>
HWY_NOINLINE void list_tile(const Fingerprint* a, std::span<const Fingerprint> right, const Limit& limit,
                            HitBuffer& hits) {
  match_tile<kSize>(Tile<kSize>(a), a, right.data(), right.data() + right.size(), limit, hits);
}

// Calls body<n>() for the tile size n in 1..8.
template <class Body>
HWY_INLINE void with_tile_size(size_t size, const Body& body) {
  switch (size) {
    case 1:
      return body.template operator()<1>();
    case 2:
      return body.template operator()<2>();
    case 3:
      return body.template operator()<3>();
    case 4:
      return body.template operator()<4>();
    case 5:
      return body.template operator()<5>();
    case 6:
      return body.template operator()<6>();
    case 7:
      return body.template operator()<7>();
    default:
      return body.template operator()<8>();
  }
}

void match_lists_target(std::span<const Fingerprint> left, std::span<const Fingerprint> right, int max_distance,
                        HitBuffer& hits) {
  if (right.empty()) return;
  const Limit limit(max_distance);
  for (size_t i = 0; i < left.size(); i += kTile) {
    const Fingerprint* a = left.data() + i;
    with_tile_size(std::min(kTile, left.size() - i),
                   [&]<size_t kSize>() HWY_ATTR { list_tile<kSize>(a, right, limit, hits); });
  }
}

// A hit among list[i..i + lanes) and the keys `first`..`last` places after each.
HWY_NOINLINE void collect_shifted(std::span<const Fingerprint> list, size_t i, size_t first, size_t last,
                                  int max_distance, HitBuffer& hits) {
  for (size_t a = i; a < std::min(i + hn::Lanes(D()), list.size()); ++a) {
    for (size_t b = a + first; b <= std::min(a + last, list.size() - 1); ++b) {
      if (fingerprint::distance(list[a], list[b]) <= max_distance) hits.push(list[a], list[b]);
    }
  }
}

// Each key against the one s places after it, for s = 1, 2, ...: no pair twice and no triangle to cut off.
void match_self_target(std::span<const Fingerprint> list, int max_distance, HitBuffer& hits) {
  constexpr size_t kShifts = 8;
  const D d;
  const Limit limit(max_distance);
  for (size_t i = 0; i + 1 < list.size(); i += hn::Lanes(d)) {
    const V base = hn::LoadU(d, list.data() + i);
    for (size_t shift = 1; shift < list.size() - i; shift += kShifts) {
      const size_t end = std::min(shift + kShifts, list.size() - i);
      V best = Tile<1>::count(base, hn::LoadU(d, list.data() + i + shift));
      for (size_t s = shift + 1; s < end; ++s) {
        best = Tile<1>::smaller(best, Tile<1>::count(base, hn::LoadU(d, list.data() + i + s)));
      }
      if (HWY_UNLIKELY(limit.reached(best))) collect_shifted(list, i, shift, end - 1, max_distance, hits);
    }
  }
}

// Writes to scratch + masks.size() those upper masks that lead upwards from x; returns all masks to visit.
HWY_INLINE std::span<const uint32_t> masks_of(const BucketScan& scan, uint32_t x) {
  uint32_t* out = scan.scratch + scan.masks.size();
  for (const uint32_t mask : scan.upper_masks) {
    *out = mask;
    out += (x ^ mask) > x;
  }
  return {scan.scratch, out};
}

void scan_buckets_target(const BucketScan& scan, int max_distance, HitBuffer& hits) {
  const Limit limit(max_distance);
  std::copy(scan.masks.begin(), scan.masks.end(), scan.scratch);
  for (uint32_t x = scan.begin; x < scan.end; ++x) {
    const std::span<const Fingerprint> bucket = scan.left[x];
    if (bucket.empty() || bucket.size() > scan.max_bucket) continue;
    if (scan.inside) match_self_target(bucket, max_distance, hits);
    const std::span<const uint32_t> masks = masks_of(scan, x);
    for (size_t i = 0; i < bucket.size(); i += kTile) {
      const Fingerprint* a = bucket.data() + i;
      with_tile_size(std::min(kTile, bucket.size() - i),
                     [&]<size_t kSize>() HWY_ATTR { scan_tile<kSize>(a, scan.right, x, masks, limit, hits); });
    }
  }
}

size_t kernel_lanes_target() { return hn::Lanes(D()); }
// Measured on Zen 4: with and without an instruction that counts bits.
double kernel_step_cycles_target() { return HWY_TARGET == HWY_AVX3_DL ? 2.0 : 4.5; }
const char* kernel_target_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace neardup::match::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::match {

HWY_EXPORT(match_lists_target);
HWY_EXPORT(match_self_target);
HWY_EXPORT(scan_buckets_target);
HWY_EXPORT(kernel_lanes_target);
HWY_EXPORT(kernel_step_cycles_target);
HWY_EXPORT(kernel_target_target);

void scan_buckets(const BucketScan& scan, int max_distance, HitBuffer& hits) {
  HWY_DYNAMIC_DISPATCH(scan_buckets_target)(scan, max_distance, hits);
}

void match_lists(std::span<const fingerprint::Fingerprint> left, std::span<const fingerprint::Fingerprint> right,
                 int max_distance, HitBuffer& hits) {
  HWY_DYNAMIC_DISPATCH(match_lists_target)(left, right, max_distance, hits);
}

void match_self(std::span<const fingerprint::Fingerprint> list, int max_distance, HitBuffer& hits) {
  HWY_DYNAMIC_DISPATCH(match_self_target)(list, max_distance, hits);
}

size_t kernel_lanes() { return HWY_DYNAMIC_DISPATCH(kernel_lanes_target)(); }
double kernel_step_cycles() { return HWY_DYNAMIC_DISPATCH(kernel_step_cycles_target)(); }
const char* kernel_target() { return HWY_DYNAMIC_DISPATCH(kernel_target_target)(); }

std::vector<std::string> kernel_targets() {
  std::vector<std::string> names;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool force_kernel_target(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);  // else only the one forced before is listed
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    return true;
  }
  return name.empty();
}

}  // namespace neardup::match
#endif  // HWY_ONCE
