// The buckets of all bands in memory: which rows share one, and which buckets a row is in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/large_array.h"
#include "neardup/join/bands.h"

namespace neardup::join {

/// Buckets of two and more rows that agree in all values of a band. Rows that are alone in all their buckets are in
/// none: they have no candidates.
class BandBuckets {
 public:
  /// `values`: row i has the num_values values from i * num_values on. Cost: a sort for each band, bands in parallel.
  /// Memory: 4 bytes for each row, 8 for each row and band where it is not alone, 8 for each row and thread on the way.
  /// Errors: kCancelled; kUnsupported where there are more buckets than numbers for them.
  [[nodiscard]] static Result<BandBuckets> build(std::span<const uint16_t> values, int num_values,
                                                 std::span<const Band> bands, int num_threads, const Context& context);

  [[nodiscard]] uint32_t size() const { return bands_.empty() ? 0 : bands_.back(); }
  /// The rows of a bucket, ascending.
  [[nodiscard]] std::span<uint32_t> members(uint32_t bucket) {
    return {members_.data() + begins_[bucket], static_cast<size_t>(begins_[bucket + 1] - begins_[bucket])};
  }
  /// Asks for what members() reads.
  void prefetch(uint32_t bucket) const { __builtin_prefetch(&begins_[bucket]); }
  /// The first bucket of each band, and how many buckets there are: buckets stand band by band.
  [[nodiscard]] std::span<const uint32_t> bands() const { return bands_; }
  /// The buckets of a row.
  [[nodiscard]] std::span<const uint32_t> buckets_of(uint32_t row) const {
    return {buckets_.data() + rows_[row], static_cast<size_t>(rows_[row + 1] - rows_[row])};
  }

 private:
  // Looked at anywhere: on huge pages.
  LargeArray<uint32_t> members_;  // bucket by bucket
  LargeArray<uint64_t> begins_;   // of the members of each bucket, and the end
  LargeArray<uint32_t> buckets_;  // row by row
  std::vector<uint64_t> rows_;
  std::vector<uint32_t> bands_;
};

/// Returns whether 32 bits number the buckets of so many rows and bands, however many rows share one.
[[nodiscard]] constexpr bool buckets_have_numbers(uint64_t num_rows, uint64_t num_bands) {
  return num_rows / 2 * num_bands <= UINT32_MAX;
}

/// Returns an upper bound of what BandBuckets::build() takes.
[[nodiscard]] uint64_t band_buckets_bytes(uint64_t num_rows, uint64_t num_bands, int num_threads);

}  // namespace neardup::join
