// Comparing two sets is this merge. Blocks of vectors instead of elements: each element of one block against all of the
// other, whatever they are, so no branch depends on the data; only how far each side goes on does, as a number. It
// stops when what is left cannot reach `needed`; how far it came then depends on the width of vectors, so nothing but
// the yes or no may be told (verifier.cc). A set much smaller than the other is looked up in it instead.
#include "neardup/verify/intersect.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/verify/intersect.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 16 lanes would compare twice as many pairs in each step of half as many.
#if HWY_TARGET == HWY_SCALAR
constexpr size_t kLanes = 1;
#elif HWY_HAVE_SCALABLE
constexpr size_t kLanes = 4;
#else
constexpr size_t kLanes = HWY_MAX_BYTES >= 32 ? 8 : 4;
#endif

// Returns which of the kLanes elements at `a` are among the kLanes at `b`: each of `b` against all of `a`.
template <class D>
HWY_INLINE auto common_in_blocks(D d, const uint32_t* a, const uint32_t* b) {
  const auto block = hn::LoadU(d, a);
  auto equal0 = hn::Eq(block, hn::Set(d, b[0]));
  if constexpr (kLanes >= 4) {
    auto equal1 = hn::Eq(block, hn::Set(d, b[1]));
    equal0 = hn::Or(equal0, hn::Eq(block, hn::Set(d, b[2])));
    equal1 = hn::Or(equal1, hn::Eq(block, hn::Set(d, b[3])));
    if constexpr (kLanes >= 8) {
      equal0 = hn::Or(equal0, hn::Eq(block, hn::Set(d, b[4])));
      equal1 = hn::Or(equal1, hn::Eq(block, hn::Set(d, b[5])));
      equal0 = hn::Or(equal0, hn::Eq(block, hn::Set(d, b[6])));
      equal1 = hn::Or(equal1, hn::Eq(block, hn::Set(d, b[7])));
    }
    equal0 = hn::Or(equal0, equal1);
  }
  return equal0;
}

// A merge without branches on the data: of two blocks, the one with the smaller last element is done with. Where places
// are asked for there is room for kLanes more than there are.
template <bool kPlaces>
HWY_INLINE size_t merge_blocks(const uint32_t* a, size_t size_a, const uint32_t* b, size_t size_b, size_t needed,
                               [[maybe_unused]] uint32_t* places) {
  const hn::CappedTag<uint32_t, kLanes> d;
  size_t i = 0, j = 0, count = 0;
  if (size_a >= kLanes && size_b >= kLanes) {
    const size_t last_a = size_a - kLanes, last_b = size_b - kLanes;
    while (i <= last_a && j <= last_b) {
      const uint32_t end_a = a[i + kLanes - 1], end_b = b[j + kLanes - 1];
      const auto common = common_in_blocks(d, a + i, b + j);
      if constexpr (kPlaces) hn::CompressStore(hn::Iota(d, static_cast<uint32_t>(i)), common, d, places + count);
      count += hn::CountTrue(d, common);
      i += end_a <= end_b ? kLanes : 0;
      j += end_b <= end_a ? kLanes : 0;
      if (count + std::min(size_a - i, size_b - j) < needed) return count;
    }
  }
  // Elements of the open block that were counted already cannot be met again: their partners lie in finished blocks.
  while (i < size_a && j < size_b) {
    const uint32_t element_a = a[i], element_b = b[j];
    if constexpr (kPlaces) places[count] = static_cast<uint32_t>(i);
    count += element_a == element_b;
    i += element_a <= element_b;
    j += element_b <= element_a;
  }
  return count;
}

size_t merge(const uint32_t* a, size_t size_a, const uint32_t* b, size_t size_b, size_t needed) {
  return merge_blocks<false>(a, size_a, b, size_b, needed, nullptr);
}

size_t merge_places(const uint32_t* a, size_t size_a, const uint32_t* b, size_t size_b, size_t needed,
                    uint32_t* places) {
  return merge_blocks<true>(a, size_a, b, size_b, needed, places);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::verify {
HWY_EXPORT(merge);
HWY_EXPORT(merge_places);
namespace {

constexpr size_t kGallopRatio = 32;

// Looks each element of the small array up in the large one, by doubling steps from where the last one was.
size_t gallop(std::span<const uint32_t> small, std::span<const uint32_t> large, size_t needed) {
  size_t count = 0, begin = 0;
  for (size_t i = 0; i < small.size() && count + small.size() - i >= needed; ++i) {
    size_t step = 1;
    while (begin + step < large.size() && large[begin + step] < small[i]) step *= 2;
    const size_t end = std::min(begin + step + 1, large.size());
    begin = static_cast<size_t>(std::lower_bound(large.begin() + begin, large.begin() + end, small[i]) - large.begin());
    if (begin == large.size()) break;
    count += large[begin] == small[i];
  }
  return count;
}

}  // namespace

size_t count_common(std::span<const uint32_t> a, std::span<const uint32_t> b, size_t needed) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < needed) return 0;
  if (a.size() < b.size() / kGallopRatio) return gallop(a, b, needed);
  return HWY_DYNAMIC_DISPATCH(merge)(a.data(), a.size(), b.data(), b.size(), needed);
}

void find_common(std::span<const uint32_t> a, std::span<const uint32_t> b, size_t needed,
                 std::vector<uint32_t>& places) {
  constexpr size_t kMostLanes = 8;
  if (std::min(a.size(), b.size()) < needed) return places.clear();
  places.resize(std::min(a.size(), b.size()) + kMostLanes);
  places.resize(HWY_DYNAMIC_DISPATCH(merge_places)(a.data(), a.size(), b.data(), b.size(), needed, places.data()));
}

}  // namespace neardup::verify
#endif  // HWY_ONCE
