#include "neardup/store/merge_policy.h"

#include <algorithm>

namespace neardup::store {

namespace {

int tier_of(uint64_t size, const MergePolicy& policy) {
  int tier = 0;
  for (uint64_t limit = policy.smallest; size > limit && limit <= UINT64_MAX / policy.ratio; limit *= policy.ratio)
    ++tier;
  return tier;
}

}  // namespace

// The newest segments of tier <= t, for each t: what is smaller and newer goes with the merge.
std::pair<size_t, size_t> pick_merge(std::span<const uint64_t> sizes, const MergePolicy& policy) {
  int greatest = 0;
  for (const uint64_t size : sizes) greatest = std::max(greatest, tier_of(size, policy));
  for (int tier = 0; tier <= greatest; ++tier) {
    size_t first = sizes.size();
    while (first > 0 && tier_of(sizes[first - 1], policy) <= tier) --first;
    if (sizes.size() - first >= policy.ratio) return {first, sizes.size()};
  }
  return {0, 0};
}

}  // namespace neardup::store
