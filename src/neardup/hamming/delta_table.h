// The paper's compressed codec: sorted keys in blocks of differences, and a table of the blocks' first keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/delta_block.h"
#include "neardup/hamming/plain_table.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// See TableCodec. Sections: "keys" and "directory" of a PlainTable of the first key of each block of kBlock keys,
/// "offsets" (where each block begins in "differences", then where the last one ends; 4 bytes each, 8 where they do not
/// fit) and "differences" (the blocks one after another, see delta_block.h, and 64 bytes of padding). Space: for keys
/// that are spread evenly 1.1 bits a key above the information bound. A probe reads its bucket's blocks up to the
/// bucket's end: bytes are saved, steps are not. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class DeltaTable {
 public:
  static constexpr uint64_t kBlock = 64;

  [[nodiscard]] static DeltaTable build(std::span<const F> keys, const TableLayout& layout);
  /// Errors: kCorruption (a section is missing or of another length, a directory is not one).
  [[nodiscard]] static Result<DeltaTable> open(std::span<const TableSection> sections, const TableLayout& layout,
                                               uint64_t num_keys);
  [[nodiscard]] std::vector<TableSection> sections() const;

  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] int known_bits() const { return fingerprint::kBitsOf<F>; }
  void prefetch_directory(F key) const { heads_.prefetch(KeyRange<F>(key, prefix_bits_).first); }
  [[nodiscard]] uint64_t locate(F key) const;
  void collect(F key, uint64_t hint, int max_distance, std::vector<TableCandidate<F>>& out) const;
  [[nodiscard]] std::pair<uint64_t, uint64_t> equal_range(F key, int places) const;
  /// Cost: half a block, on average.
  [[nodiscard]] F key_at(uint64_t rank) const;
  /// Writes the keys of ranks first, first + 1, ... to `keys`. Cost: each block once.
  void read_keys(uint64_t first, std::span<F> keys) const;

 private:
  // Blocks are found by their first keys; within one, keys are read from its begin.
  [[nodiscard]] uint64_t block_of(F key) const;
  [[nodiscard]] uint64_t lower_bound(F key) const;
  [[nodiscard]] DeltaReader<F> reader(uint64_t block) const;
  [[nodiscard]] uint64_t keys_in(uint64_t block) const { return std::min(kBlock, size_ - block * kBlock); }

  PlainTable<F> heads_;               // the first key of each block
  PackedPositions offsets_;           // of each block in the differences, and the end
  StoredArray<uint8_t> differences_;  // with padding: a reader looks ahead
  uint64_t size_ = 0;                 // keys
  int prefix_bits_ = 0;
};

}  // namespace neardup::hamming
