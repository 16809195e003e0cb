// n-gram hashes are even, so their leading bits are nearly their places: a table of three to six places a hash is in
// order as it is filled. Texts whose hashes were chosen to meet are sorted by digits instead, after a bounded number of
// steps; so is what is larger than a table in cache. Highway's sort took 18 to 42 ns a hash, digits 6 to 18
// (bench/DEAD_ENDS.md).
#include "neardup/verify/sort_distinct.h"

#include <algorithm>
#include <bit>
#include <span>

#include "neardup/base/per_thread.h"
#include "neardup/base/radix_sort.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/verify/sort_distinct.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef NEARDUP_VERIFY_SORT_DISTINCT_ONCE
#define NEARDUP_VERIFY_SORT_DISTINCT_ONCE

namespace neardup::verify {

inline constexpr uint32_t kEmpty = UINT32_MAX;
inline constexpr size_t kSlotsAtOnce = 64;  // a multiple of the lanes of every vector

}  // namespace neardup::verify

#endif  // NEARDUP_VERIFY_SORT_DISTINCT_ONCE

HWY_BEFORE_NAMESPACE();
namespace neardup::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Moves what is not empty to the front, in order, and returns how much it is. A vector is read before anything is
// written to its place, as no more is written than was read.
size_t close_gaps(uint32_t* slots, size_t num_slots) {
  const hn::CappedTag<uint32_t, kSlotsAtOnce> d;
  const auto empty = hn::Set(d, kEmpty);
  uint32_t* out = slots;
  for (size_t i = 0; i < num_slots; i += hn::Lanes(d)) {
    const auto values = hn::LoadU(d, slots + i);
    const auto is_full = hn::Ne(values, empty);
    hn::StoreU(hn::Compress(values, is_full), d, out);
    out += hn::CountTrue(d, is_full);
  }
  return static_cast<size_t>(out - slots);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::verify {
namespace {

HWY_EXPORT(close_gaps);

constexpr size_t kPlacesEach = 16;  // that are looked at for each hash, together

// Puts `hash` between its neighbours, from `slot` on, and moves those behind it up to the next gap. Returns how many
// places it looked at.
size_t insert(uint32_t* slot, uint32_t hash) {
  const uint32_t* const first = slot;
  while (*slot < hash) ++slot;
  if (*slot != hash) {
    for (; hash != kEmpty; ++slot) std::swap(*slot, hash);
  }
  return static_cast<size_t>(slot - first);
}

// Larger tables do not fit in a core's cache.
void sort_by_digits(std::vector<uint32_t>& hashes) {
  std::vector<uint32_t> scratch;
  radix_sort(std::span(hashes), scratch);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

// Each hash goes into a table at the place that its leading bits say, three to six places for each hash: so the table
// is in order. Most find their place empty; whether one does cannot be foreseen, so the others are listed without a
// branch, at the front of `hashes`, and are put between their neighbours later. Two thirds of the time of sorting by
// buckets and insertions, a fifth of a general sort.
void sort_in_table(std::vector<uint32_t>& hashes) {
  static PerThread<std::vector<uint32_t>> buffers;
  std::vector<uint32_t>& table = buffers.get();
  const int bits = std::max(6, static_cast<int>(std::bit_width(3 * hashes.size() - 1)));
  const int shift = 32 - bits;
  const size_t num_places = size_t{1} << bits;
  // Behind the last place there is room for all hashes and one gap.
  table.assign((num_places + hashes.size()) / kSlotsAtOnce * kSlotsAtOnce + kSlotsAtOnce, kEmpty);
  uint32_t* const places = table.data();
  size_t num_listed = 0;
  bool has_empty = false;  // the value that stands for a gap
  for (const uint32_t hash : hashes) {
    uint32_t& place = places[hash >> shift];
    const uint32_t found = place;
    const uint32_t is_taken = found != kEmpty;
    place = found & (hash | (0 - is_taken));  // hash where it was empty; compilers make a branch of a condition here
    has_empty |= hash == kEmpty;
    hashes[num_listed] = hash;
    num_listed += is_taken & (found != hash);
  }
  // Hashes that were chosen to meet would make it a search of all by all: what is left of them is sorted otherwise.
  size_t room = kPlacesEach * hashes.size(), next = 0;
  for (; next < num_listed && room > 0; ++next) {
    room -= std::min(room, insert(places + (hashes[next] >> shift), hashes[next]));
  }
  const std::vector<uint32_t> left(hashes.begin() + static_cast<std::ptrdiff_t>(next),
                                   hashes.begin() + static_cast<std::ptrdiff_t>(num_listed));
  const size_t size = HWY_DYNAMIC_DISPATCH(close_gaps)(places, table.size());
  hashes.assign(places, places + size);
  if (has_empty) hashes.push_back(kEmpty);
  if (left.empty()) return;
  hashes.insert(hashes.end(), left.begin(), left.end());
  sort_by_digits(hashes);
}

}  // namespace

void sort_distinct(std::vector<uint32_t>& hashes) {
  constexpr size_t kMostInTable = size_t{1} << 16;
  if (hashes.size() < 2) return;
  if (hashes.size() <= kMostInTable) return sort_in_table(hashes);
  sort_by_digits(hashes);
}

}  // namespace neardup::verify
#endif  // HWY_ONCE
