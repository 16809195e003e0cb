// A chosen set of bit positions, and the number that a fingerprint's bits at them make.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "neardup/fingerprint/value.h"

namespace neardup::join {

/// The bits of `mask`, packed: bucket_of(f) has bit j of f at the rank of j among the set bits of the mask. Two
/// fingerprints differ in as many bits of the mask as their bucket numbers differ in bits.
class BitBlock {
 public:
  BitBlock() = default;
  explicit constexpr BitBlock(uint64_t mask) : mask_(mask) {
    int rank = 0;
    for (uint64_t rest = mask; rest != 0; ++num_runs_) {
      const int start = std::countr_zero(rest);
      const int length = std::countr_one(rest >> start);
      const uint64_t run = (length == 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1) << start;
      runs_[num_runs_] = {run, start - rank};
      rank += length;
      rest &= ~run;
    }
  }

  /// Requires: num_bits() <= 32.
  [[nodiscard]] constexpr uint32_t bucket_of(fingerprint::Fingerprint value) const {
    uint64_t bucket = (value & runs_[0].mask) >> runs_[0].shift;
    for (int i = 1; i < num_runs_; ++i) bucket |= (value & runs_[i].mask) >> runs_[i].shift;
    return static_cast<uint32_t>(bucket);
  }
  [[nodiscard]] constexpr uint64_t mask() const { return mask_; }
  [[nodiscard]] constexpr int num_bits() const { return std::popcount(mask_); }
  [[nodiscard]] constexpr uint32_t num_buckets() const { return uint32_t{1} << num_bits(); }

 private:
  struct Run {
    uint64_t mask = 0;
    int shift = 0;
  };
  uint64_t mask_ = 0;
  int num_runs_ = 0;
  std::array<Run, 32> runs_{};
};

/// Returns the highest `count` set bits of `mask`. Requires: count <= popcount(mask).
[[nodiscard]] constexpr uint64_t highest_bits(uint64_t mask, int count) {
  for (int extra = std::popcount(mask) - count; extra > 0; --extra) mask &= mask - 1;
  return mask;
}

}  // namespace neardup::join
