// Sizes are compared by tiers, powers of the ratio, so that a merge takes segments of about one size and each entry
// moves up a tier with every merge: it is rewritten once for each, some six times for 10^8 entries
// (docs/design/updates.md). Runs end with the newest segment, since "older" and "newer" must keep their meaning for
// erasures.
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
