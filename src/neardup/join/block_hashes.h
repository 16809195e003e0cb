// The hashes of bands, for one block of rows after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/band_words.h"

namespace neardup::join {

/// Reads of a source what the hashes of bands need: single columns where it has them, else whole rows, once for each
/// block. Memory: a block of rows at most. Threads: one at a time.
class BlockHashes {
 public:
  static constexpr uint32_t kRows = SignatureSource::kBlockRows;

  /// `source` must outlive it.
  explicit BlockHashes(const SignatureSource& source) : source_(&source) {}

  /// Returns how many blocks the rows of a source make.
  [[nodiscard]] static uint32_t num_blocks(const SignatureSource& source) {
    return static_cast<uint32_t>((uint64_t{source.count} + kRows - 1) / kRows);
  }
  /// From now on of() is about the rows of this block. Errors: what the source returns.
  [[nodiscard]] Status load(uint32_t block);
  [[nodiscard]] uint32_t first_row() const { return first_; }
  /// Returns band_hash() of each row of the block, until the next call. Errors: what the source returns.
  [[nodiscard]] Result<std::span<const uint64_t>> of(std::span<const uint16_t> band);

 private:
  Status read_columns(std::span<const uint16_t> band);

  const SignatureSource* source_;
  uint32_t first_ = 0, count_ = 0;
  const uint16_t* rows_ = nullptr;  // of the block; null where columns are read
  std::vector<uint32_t> numbers_;   // of the rows
  std::vector<uint16_t> values_, column_, own_band_;
  std::vector<uint64_t> hashes_;
};

}  // namespace neardup::join
