// The distinct hashes of one document, and how often each occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/feature/distinct_kernel.h"
#include "neardup/feature/scratch.h"

namespace neardup::feature {

/// Distinct values with their counts: the value hashes[i] occurs counts[i] times.
struct Counted {
  std::span<const uint64_t> hashes;
  std::span<const uint32_t> counts;
};

/// An open-addressing table that is used anew for each document. Its size follows the document, so that short documents
/// stay in the nearest cache; no allocation once it has grown. Values should be well-mixed hashes: those that were
/// chosen to meet in the table are sorted, so that time grows as n log n whatever the values are. Results are in order
/// of first occurrence (count() puts the hash 0 last), or ascending where they were sorted, and stay valid until the
/// next call. Threads: one at a time.
class DistinctTable {
 public:
  /// Returns each value of `hashes` once.
  [[nodiscard]] std::span<const uint64_t> distinct(std::span<const uint64_t> hashes);
  /// Returns each value of `hashes` once, and how often it occurs. Requires: at most 2^30 hashes.
  [[nodiscard]] Counted count(std::span<const uint64_t> hashes);

  /// From now on values are sorted, in a third of the table's memory: 8 bytes each, and 4 for counts. Results then come
  /// in ascending order.
  void spare_memory() { sorts_ = true; }

 private:
  struct alignas(32) Bucket {
    uint64_t keys[TableView::kBucketSlots];
  };

  TableView empty_table(size_t num_values);
  std::span<uint64_t> sorted(std::span<const uint64_t> hashes);
  Counted count_sorted(std::span<const uint64_t> hashes);

  bool sorts_ = false;

  Scratch<Bucket> buckets_;
  Scratch<uint32_t> slot_counts_;
  Scratch<uint64_t> hashes_;
  Scratch<uint32_t> counts_;
};

}  // namespace neardup::feature
