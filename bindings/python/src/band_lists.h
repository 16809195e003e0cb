// Rows of numbers by their bands: who agrees with a query in all numbers of a band.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/engine/online/band_map.h"

namespace neardup::python {

/// Rows 0, 1, ... of numbers, of which band i is those from i * band_size on. Rows that are erased keep their numbers.
/// Memory: 8 bytes for each number of the bands, and BandMap's. Threads: one at a time.
class BandLists {
 public:
  /// Requires: num_bands and band_size are at least 1.
  BandLists(size_t num_bands, size_t band_size) : band_size_(band_size), maps_(num_bands) {}
  BandLists(BandLists&&) = default;
  BandLists& operator=(BandLists&&) = default;
  BandLists(const BandLists&) = delete;
  BandLists& operator=(const BandLists&) = delete;
  ~BandLists() = default;

  [[nodiscard]] size_t row_size() const { return band_size_ * maps_.size(); }
  [[nodiscard]] uint64_t num_rows() const { return is_live_.size(); }
  [[nodiscard]] uint64_t size_bytes() const;
  /// Returns the numbers of a row. Requires: number < num_rows().
  [[nodiscard]] std::span<const uint64_t> row(uint64_t number) const {
    return {rows_.data() + number * row_size(), row_size()};
  }

  /// Adds a row as number num_rows(). Requires: row.size() == row_size(); fewer than 2^31 rows. Where it throws the row
  /// is not there.
  void add(std::span<const uint64_t> row);
  /// An erased row is found no more. Requires: number < num_rows().
  void erase(uint64_t number) { is_live_[number] = false; }
  /// Forgets the rows from `number` on.
  void truncate(uint64_t number);
  /// Replaces `found` by the rows that agree with `row` in all numbers of some band, ascending, each once.
  void find(std::span<const uint64_t> row, std::vector<uint32_t>& found);
  /// Returns these rows as 0, 1, ... Requires: each is < num_rows().
  [[nodiscard]] BandLists subset(std::span<const uint64_t> numbers) const;

 private:
  [[nodiscard]] std::span<const uint64_t> band(std::span<const uint64_t> row, size_t i) const {
    return row.subspan(i * band_size_, band_size_);
  }
  void hash_bands(std::span<const uint64_t> row);
  void find_in_band(std::span<const uint64_t> row, size_t i, std::vector<uint32_t>& found);

  size_t band_size_;
  std::vector<engine::BandMap> maps_;  // of each band
  std::vector<uint64_t> rows_;         // side by side
  std::vector<bool> is_live_;
  std::vector<bool> is_found_;    // of one query
  std::vector<uint64_t> hashes_;  // of the bands of one row
  std::vector<uint32_t> met_;
};

}  // namespace neardup::python
