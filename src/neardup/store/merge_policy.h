// Which segments of a log-structured index to make one of, and when.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace neardup::store {

/// Sizes in entries and the number of segments of about one size that are merged.
struct MergePolicy {
  uint64_t smallest = 4096;  // all that are no greater count as of one size
  uint32_t ratio = 4;        // 2..
};

/// Returns the positions [first, last) of the segments to merge next, an empty range where none are due. `sizes` are
/// those of the segments, oldest first; only neighbours are merged, for what is erased applies to what is older.
/// Segments whose sizes lie between the same two powers of `ratio` (times `smallest`) are of one tier; `ratio` of them,
/// newest, become one of the next tier, so that every entry is rewritten once per tier and at most ratio - 1 segments
/// of each tier stand (a few more while a merge is at work).
[[nodiscard]] std::pair<size_t, size_t> pick_merge(std::span<const uint64_t> sizes, const MergePolicy& policy);

}  // namespace neardup::store
