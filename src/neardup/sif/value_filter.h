// "May this value be one of those?", asked of what large files have, before it is kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "neardup/base/large_array.h"

namespace neardup::sif {

/// Some bits of memory for a set of values (selector.h): whatever is in it is told; of what is not, one in some
/// kBitsForEach is told, too. The same set has the same answers. Threads: all members from many at once, but for those
/// that are added meanwhile nothing is promised.
class ValueFilter {
 public:
  static constexpr uint64_t kBitsForEach = 32;

  /// A filter that holds nothing, with room for `num_values`.
  explicit ValueFilter(uint64_t num_values = 0);

  void add(uint64_t value) {
    std::atomic_ref(bits_[place_of(value) >> 6])
        .fetch_or(uint64_t{1} << (place_of(value) & 63), std::memory_order_relaxed);
  }
  /// Fetches what may_hold(value) will look at.
  void expect(uint64_t value) const { __builtin_prefetch(&bits_[place_of(value) >> 6]); }
  [[nodiscard]] bool may_hold(uint64_t value) const {
    return (bits_[place_of(value) >> 6] >> (place_of(value) & 63) & 1) != 0;
  }

  [[nodiscard]] uint64_t size_bytes() const { return bits_.size() * sizeof(uint64_t); }

 private:
  [[nodiscard]] size_t place_of(uint64_t value) const { return (value * uint64_t{0x9e3779b97f4a7c15}) >> shift_; }

  LargeArray<uint64_t> bits_;  // on huge pages: what is looked at lies anywhere
  int shift_;
};

}  // namespace neardup::sif
