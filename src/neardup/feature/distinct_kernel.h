// Inner part of DistinctTable: its loops, on the best instruction set of the machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::feature {

/// An empty table of one document. Slots form buckets of kBucketSlots, each filled from its first slot on.
struct TableView {
  static constexpr size_t kBucketSlots = 4;  // 32 bytes: what one comparison of AVX2 covers
  uint64_t* keys = nullptr;                  // aligned to a bucket; 0 = empty
  size_t bucket_mask = 0;                    // number of buckets - 1, a power of two - 1
  int shift = 0;                             // a hash's bucket is its uppermost 64 - shift bits
};

/// What is returned where values meet in the table that are not there by chance: they were chosen to.
inline constexpr size_t kGaveUp = SIZE_MAX;

/// Writes each of the values once, in order of first occurrence, and returns how many, or kGaveUp. `out` holds
/// num_values + 1.
size_t distinct_values(const TableView& table, const uint64_t* values, size_t num_values, uint64_t* out);

struct CountMemory {
  uint32_t* slot_counts;  // 0 for each slot of the table
  uint64_t* out;          // holds num_values + 1
  uint32_t* counts;       // holds num_values + 1
};

/// The same with counts: out[i] occurs counts[i] times. The value 0 comes last. Requires: fewer than 2^32 slots.
size_t count_values(const TableView& table, const uint64_t* values, size_t num_values, const CountMemory& memory);

}  // namespace neardup::feature
