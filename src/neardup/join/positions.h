// Where in a set some of its fingerprints stand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/distinct.h"

namespace neardup::join {

/// The positions of chosen values in a set.
class ValuePositions {
 public:
  /// Looks for all of `values` (any order, repeats allowed) in `set`. Cost: one pass over the set through a filter of
  /// two bytes a value. Requires: set.size() <= kMaxPartSize. Errors: kCancelled.
  [[nodiscard]] static Result<ValuePositions> find(std::span<const fingerprint::Fingerprint> values,
                                                   std::span<const fingerprint::Fingerprint> set, int num_threads,
                                                   const Context& context);

  [[nodiscard]] const Distinct& values() const { return values_; }
  /// Asks the memory for what for_each() will read, in two steps.
  void prefetch_first(fingerprint::Fingerprint value) const { values_.prefetch_offset(value); }
  void prefetch_second(fingerprint::Fingerprint value) const {
    values_.prefetch_bucket(value);
    __builtin_prefetch(first_.data() + values_.bucket_begin(value));
  }
  /// Calls body(position) for each position of values().keys()[index].
  template <class Body>
  void for_each(size_t index, const Body& body) const {
    body(first_[index] & ~kHasMore);
    if ((first_[index] & kHasMore) == 0) return;
    auto at = std::lower_bound(more_.begin(), more_.end(), More{static_cast<uint32_t>(index), 0});
    for (; at != more_.end() && at->index == index; ++at) body(at->position);
  }

 private:
  struct More {
    uint32_t index = 0;
    uint32_t position = 0;
    auto operator<=>(const More&) const = default;
  };
  class Search;
  static constexpr uint32_t kHasMore = uint32_t{1} << 31;  // positions are smaller

  Distinct values_;             // sorted; an index in it is what the arrays below go by
  LargeArray<uint32_t> first_;  // one position of each value, and kHasMore where it has others
  std::vector<More> more_;      // the others, sorted
};

}  // namespace neardup::join
