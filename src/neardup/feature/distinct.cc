#include "neardup/feature/distinct.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace neardup::feature {

// Clearing costs as much as a few insertions in a hundred, as the table is only two to four times the document.
TableView DistinctTable::empty_table(size_t num_values) {
  constexpr size_t kMinSlots = 64;
  const size_t num_slots = std::max(kMinSlots, std::bit_ceil(num_values * 2));
  const size_t num_buckets = num_slots / TableView::kBucketSlots;
  Bucket* const buckets = buckets_.reserve(num_buckets);
  std::memset(buckets, 0, num_buckets * sizeof(Bucket));
  return {buckets->keys, num_buckets - 1, 64 - std::countr_zero(num_buckets)};
}

std::span<uint64_t> DistinctTable::sorted(std::span<const uint64_t> hashes) {
  uint64_t* const out = hashes_.reserve(hashes.size());
  std::copy(hashes.begin(), hashes.end(), out);
  std::sort(out, out + hashes.size());
  return {out, hashes.size()};
}

std::span<const uint64_t> DistinctTable::distinct(std::span<const uint64_t> hashes) {
  if (!sorts_) {
    uint64_t* const out = hashes_.reserve(hashes.size() + 1);
    const size_t size = distinct_values(empty_table(hashes.size()), hashes.data(), hashes.size(), out);
    if (size != kGaveUp) return {out, size};
  }
  const std::span<uint64_t> values = sorted(hashes);
  return {values.begin(), std::unique(values.begin(), values.end())};
}

Counted DistinctTable::count(std::span<const uint64_t> hashes) {
  if (sorts_) return count_sorted(hashes);
  const TableView table = empty_table(hashes.size());
  const size_t num_slots = (table.bucket_mask + 1) * TableView::kBucketSlots;
  uint32_t* const slot_counts = slot_counts_.reserve(num_slots);
  std::memset(slot_counts, 0, num_slots * sizeof(uint32_t));
  uint64_t* const out = hashes_.reserve(hashes.size() + 1);
  uint32_t* const counts = counts_.reserve(hashes.size() + 1);
  const size_t size = count_values(table, hashes.data(), hashes.size(), {slot_counts, out, counts});
  if (size == kGaveUp) return count_sorted(hashes);
  return {{out, size}, {counts, size}};
}

Counted DistinctTable::count_sorted(std::span<const uint64_t> hashes) {
  const std::span<uint64_t> values = sorted(hashes);
  uint32_t* const counts = counts_.reserve(values.size());
  size_t size = 0;
  for (size_t i = 0; i < values.size(); ++size) {
    const size_t first = i;
    while (i < values.size() && values[i] == values[first]) ++i;
    values[size] = values[first];
    counts[size] = static_cast<uint32_t>(i - first);
  }
  return {values.first(size), {counts, size}};
}

}  // namespace neardup::feature
