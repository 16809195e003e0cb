// One band of stored signatures: from the hash of its values to the documents that have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neardup/base/large_array.h"

namespace neardup::engine {

/// A hash table with open addressing and linear probing. A slot is half the hash and a document; where several have the
/// same half hash the slot leads to a list of them, so that a band that all documents share costs one slot, and adding
/// to it one step. Never fuller than three quarters. Memory: 11 to 22 bytes for each different hash, 4 to 8 for each
/// further document. Threads: one at a time.
class BandMap {
 public:
  static constexpr uint32_t kAll = UINT32_MAX;
  BandMap() : slots_(free_slots(size_t{1} << kLeastSlotsLog2)) {}

  /// Lets the processor fetch the slot of `hash`, which is asked for a little later.
  void prefetch(uint64_t hash) const { __builtin_prefetch(slots_.data() + place_of(hash)); }
  /// Appends to `found` the first `most` documents whose band has this hash, or one with the same upper half.
  void find(uint64_t hash, std::vector<uint32_t>& found, uint32_t most = kAll) const;
  /// Adds it, unless it would be more than the `most`-th with this half. Nothing is added where it throws for memory.
  /// Requires: `hash` is well mixed, document < 2^31, most > 0.
  void add(uint64_t hash, uint32_t document, uint32_t most = kAll);
  /// Takes back the last add(), of the same two. Never throws.
  void take_back(uint64_t hash, uint32_t document) noexcept;
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  static constexpr int kLeastSlotsLog2 = 4;
  static constexpr uint32_t kIsList = uint32_t{1} << 31;

  static uint32_t half_of(uint64_t slot) { return static_cast<uint32_t>(slot >> 32); }
  // The half that is stored, so that a larger table is filled from the slots alone, spread by a multiplication. Its
  // upper bits: what lies side by side does so in a larger table, too, which is then filled from front to back.
  [[nodiscard]] uint64_t place_of(uint64_t hash) const { return half_of(hash) * 0x9e3779b97f4a7c15ULL >> shift_; }
  [[nodiscard]] static LargeArray<uint64_t> free_slots(size_t count);
  [[nodiscard]] uint64_t find_slot(uint64_t hash) const;
  void grow();

  LargeArray<uint64_t> slots_;  // the upper half of the hash, and a document or kIsList + the place of a list
  int shift_ = 64 - kLeastSlotsLog2;
  uint64_t num_used_ = 0;
  std::vector<std::vector<uint32_t>> lists_;
};

}  // namespace neardup::engine
