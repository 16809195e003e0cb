// The distinct hashes of one document, and how often each occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/feature/scratch.h"

namespace neardup::feature {

/// Distinct values with their counts: the value hashes[i] occurs counts[i] times.
struct Counted {
  std::span<const uint64_t> hashes;
  std::span<const uint32_t> counts;
};

/// An open-addressing table that is used anew for each document. Its size follows the document, so that short documents
/// stay in the nearest cache; no allocation once it has grown. Values must be well-mixed hashes.
/// Results are in order of first occurrence and stay valid until the next call. Threads: one at a time.
class DistinctTable {
 public:
  /// Returns each value of `hashes` once.
  [[nodiscard]] std::span<const uint64_t> distinct(std::span<const uint64_t> hashes);
  /// Returns each value of `hashes` once, and how often it occurs. Requires: fewer than 2^32 hashes.
  [[nodiscard]] Counted count(std::span<const uint64_t> hashes);

 private:
  void clear(size_t num_values);

  Scratch<uint64_t> keys_memory_;
  Scratch<uint32_t> positions_memory_;
  Scratch<uint64_t> hashes_memory_;
  Scratch<uint32_t> counts_memory_;
  uint64_t* keys_ = nullptr;  // 0 = empty
  size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace neardup::feature
