// The work on one pair of tables, cut into units that stay in cache.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/emitter.h"
#include "neardup/match/kernels.h"

namespace neardup::join {

/// All pairs of buckets x, x ^ mask with at most `threshold` ones in mask, seen from unit after unit of neighbouring
/// x. The bits of a mask are cut too: the high ones choose the other unit, the low ones walk inside it, so a unit
/// meets one small stretch of the right table after the other.
class ScanUnits {
 public:
  /// Buckets larger than max_bucket are left out as x, not as x ^ mask.
  ScanUnits(const match::Buckets& left, const match::Buckets& right, bool self, int num_bits, int threshold,
            size_t right_size, size_t max_bucket);

  [[nodiscard]] size_t count() const { return size_t{1} << high_bits_; }
  [[nodiscard]] uint32_t begin(size_t unit) const { return static_cast<uint32_t>(unit << low_bits_); }
  [[nodiscard]] uint32_t end(size_t unit) const { return begin(unit + 1); }
  /// Gives the hits of one unit to the emitter. Errors: kCancelled, what the sink returned. Threads: any number.
  [[nodiscard]] Status scan(size_t unit, int max_distance, Emitter& emitter, const Context& context) const;

 private:
  match::Buckets left_;
  match::Buckets right_;
  bool self_;  // pairs of one table: each once
  int threshold_;
  size_t max_bucket_;                             // beyond it a bucket is hot, and not for the kernel
  int low_bits_ = 0;                              // of a bucket's number: where in the unit
  int high_bits_ = 0;                             // the number of the unit
  std::vector<uint32_t> high_masks_;              // ascending by ones
  std::vector<std::vector<uint32_t>> low_masks_;  // [t]: all with at most t ones, ascending by ones
};

}  // namespace neardup::join
