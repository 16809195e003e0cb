#include "neardup/store/log_joins.h"

#include <algorithm>
#include <numeric>

namespace neardup::store {
namespace {

constexpr uint64_t kSmallestBytes = uint64_t{1} << 16;  // all that are no longer count as of one size
constexpr uint64_t kRatio = 4;

// The end of the longest range from `first` on of logs no longer than `each` that are `most_bytes` together.
size_t end_of_range(std::span<const uint64_t> sizes, size_t first, uint64_t each, uint64_t most_bytes) {
  uint64_t bytes = 0;
  size_t end = first;
  while (end < sizes.size() && sizes[end] <= each && sizes[end] <= most_bytes - bytes) bytes += sizes[end++];
  return end;
}

// Each byte that is written again then is in a log at least twice as long, unless all are very small.
bool is_worth_it(std::span<const uint64_t> sizes) {
  if (sizes.size() < kRatio) return false;
  const uint64_t longest = *std::ranges::max_element(sizes);
  return longest <= kSmallestBytes || longest <= std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}) / 2;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> pick_joins(std::span<const uint64_t> sizes, uint64_t most_bytes, Effort effort) {
  std::vector<std::pair<size_t, size_t>> joins;
  if (effort == Effort::kAll) {
    for (size_t first = 0; first < sizes.size();) {
      const size_t end = std::max(end_of_range(sizes, first, most_bytes, most_bytes), first + 1);
      if (end - first > 1) joins.emplace_back(first, end);
      first = end;
    }
    return joins;
  }
  for (uint64_t each = std::min(kSmallestBytes, most_bytes); each < most_bytes;
       each = std::min(each * kRatio, most_bytes))
    for (size_t first = 0; first < sizes.size(); ++first) {
      const size_t end = end_of_range(sizes, first, each, most_bytes);
      if (is_worth_it(sizes.subspan(first, end - first))) return {{first, end}};
    }
  return joins;
}

}  // namespace neardup::store
