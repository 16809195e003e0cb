// Rows that come late to a crowded bucket: behind the first ones, with which alone all others are paired there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"

namespace neardup::join {

/// In which bands a row is late. Memory: nothing where none is, else a bit for each row and band. Threads: const
/// members from many at once.
class LateRows {
 public:
  LateRows() = default;
  LateRows(uint32_t num_rows, size_t num_bands) : num_rows_(num_rows), words_((num_bands + 63) / 64) {}

  [[nodiscard]] bool none() const { return bits_.empty(); }
  [[nodiscard]] bool at(uint32_t row, size_t band) const {
    return !none() && (bits_[row * words_ + band / 64] >> band % 64 & 1) != 0;
  }
  void set(uint32_t row, size_t band);
  [[nodiscard]] uint64_t size_bytes() const { return bits_.size() * sizeof(uint64_t); }

 private:
  uint32_t num_rows_ = 0;
  size_t words_ = 0;  // of a row
  std::vector<uint64_t> bits_;
};

/// Returns which rows of `signatures` are not among the first `most_members` of their buckets (0: no row is late).
/// Buckets are told apart by hashes of 64 bits. Cost: a pass over the signatures, about 3 ns a row and band; two where
/// there are crowded buckets, and more of each where memory is short: of bands as many at a time as have room for a
/// counter for a few rows each, of buckets as many as have room for their numbers. Memory: what LateRows takes, and
/// while it runs `memory_bytes`, or what one band and 4,096 buckets need. The same for any memory. Errors: what the
/// source returns, kCancelled.
[[nodiscard]] Result<LateRows> find_late_rows(const SignatureSource& signatures, std::span<const Band> bands,
                                              uint32_t most_members, uint64_t memory_bytes, const Context& context);

}  // namespace neardup::join
