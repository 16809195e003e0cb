// The simplest codec: whole keys, sorted, and a directory of their leading places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/key_scan.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// See TableCodec. Sections: "keys" (all, ascending, little-endian) and "directory" (for each value of the leading
/// places, about 32 keys each, the rank of its first key; then the number of keys; 4 bytes each, 8 where there are 2^32
/// keys or more). Space: the keys, and 1 to 2 bits a key. Within a group keys are found by interpolation, then by
/// doubling steps: skewed keys cost a few steps more, not a scan. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class PlainTable {
 public:
  [[nodiscard]] static PlainTable build(std::span<const F> keys, const TableLayout& layout);
  /// Errors: kCorruption (a section is missing or of another length, the directory is not one).
  [[nodiscard]] static Result<PlainTable> open(std::span<const TableSection> sections, const TableLayout& layout,
                                               uint64_t num_keys);
  [[nodiscard]] std::vector<TableSection> sections() const;

  [[nodiscard]] uint64_t size() const { return keys_.size(); }
  [[nodiscard]] int known_bits() const { return fingerprint::kBitsOf<F>; }
  void prefetch_directory(F key) const { directory_.prefetch(group_of(bucket_of(key).first)); }
  [[nodiscard]] uint64_t locate(F key) const;
  void collect(F key, uint64_t hint, int max_distance, std::vector<TableCandidate<F>>& out) const;
  [[nodiscard]] std::pair<uint64_t, uint64_t> equal_range(F key, int places) const;
  [[nodiscard]] F key_at(uint64_t rank) const { return keys_[rank]; }

  /// Writes the keys of ranks first, first + 1, ... to `keys`.
  void read_keys(uint64_t first, std::span<F> keys) const {
    std::copy_n(keys_.data() + first, keys.size(), keys.data());
  }
  /// Returns the rank of the first key that is not below `key`, or size().
  [[nodiscard]] uint64_t lower_bound(F key) const { return lower_bound_from(key, guess(key)); }
  /// Reads the directory and prefetches where lower_bound(key) will look.
  void prefetch(F key) const { prefetch_keys(guess(key)); }

 private:
  [[nodiscard]] KeyRange<F> bucket_of(F key) const { return KeyRange<F>(key, prefix_bits_); }
  [[nodiscard]] uint64_t group_of(F key) const {
    return group_bits_ == 0 ? 0 : static_cast<uint64_t>(key >> (fingerprint::kBitsOf<F> - group_bits_));
  }
  // Where a key would stand if its group were even; always within the group.
  [[nodiscard]] uint64_t guess(F key) const;
  [[nodiscard]] uint64_t lower_bound_from(F key, uint64_t guess) const;
  [[nodiscard]] std::pair<uint64_t, uint64_t> ranks_of(const KeyRange<F>& range, uint64_t guess) const;
  void prefetch_keys(uint64_t rank) const;

  StoredArray<F> keys_;        // ascending, distinct
  PackedPositions directory_;  // rank of the first key of each group, and size()
  int prefix_bits_ = 0;
  int group_bits_ = 0;
};

}  // namespace neardup::hamming
