// "Is this polynomial one of those?", asked of every substring of every file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::sif {

/// A set of 32-bit values. Threads: const members from many at once.
class HashFilter {
 public:
  HashFilter() = default;
  /// Memory: 2 to 4 bytes for the bits and 8 for the table, for each different value.
  explicit HashFilter(std::vector<uint32_t> values);

  [[nodiscard]] bool empty() const { return table_.empty(); }
  /// Appends `base` + i to `out`, ascending, for each i < count where hashes[i] is in the set; of equal ones in a row
  /// the first alone.
  void append_hits(const uint32_t* hashes, size_t count, uint64_t base, std::vector<uint64_t>& out) const;

 private:
  [[nodiscard]] bool holds(uint32_t value) const;
  [[nodiscard]] size_t place_of(uint32_t value) const { return (value * uint32_t{0x85ebca6b}) >> shift_; }

  std::vector<uint64_t> bits_;   // first: one of them is set for some 5 % of the values that are not in the set
  std::vector<uint32_t> table_;  // then: open addressing, 0 is free
  bool has_zero_ = false;
  int shift_ = 0, table_shift_ = 0;
};

}  // namespace neardup::sif
