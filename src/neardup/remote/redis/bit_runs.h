// BitRuns: some bits of a fingerprint, gathered into a number and put back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"

namespace neardup::remote::redis {

using Wide = fingerprint::Fingerprint128;

/// Threads: const members from any.
class BitRuns {
 public:
  /// bits[0] becomes the most significant bit of the number. Requires: each of 0..127, each once.
  explicit BitRuns(std::span<const uint8_t> bits = {}) : size_(static_cast<int>(bits.size())) {
    for (size_t i = 0; i < bits.size();) {
      size_t end = i + 1;
      while (end < bits.size() && bits[end] + 1 == bits[end - 1]) ++end;
      runs_.push_back({bits[end - 1], static_cast<int>(end - i)});
      i = end;
    }
  }

  /// Of bits.
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] Wide gather(Wide value) const {
    Wide bits = 0;
    for (const Run& run : runs_) bits = shifted(bits, run.count) | (value >> run.lowest & ones(run.count));
    return bits;
  }
  /// Returns a fingerprint with these bits, all others 0: gather(scatter(bits)) is `bits`.
  [[nodiscard]] Wide scatter(Wide bits) const {
    Wide value = 0;
    for (size_t i = runs_.size(); i-- > 0;) {
      value |= (bits & ones(runs_[i].count)) << runs_[i].lowest;
      bits = runs_[i].count < kMost ? bits >> runs_[i].count : 0;
    }
    return value;
  }

 private:
  static constexpr int kMost = 128;
  struct Run {
    int lowest, count;  // bits that stand side by side
  };
  static constexpr Wide ones(int count) { return count < kMost ? (Wide{1} << count) - 1 : ~Wide{0}; }
  static constexpr Wide shifted(Wide value, int count) { return count < kMost ? value << count : 0; }

  std::vector<Run> runs_;
  int size_ = 0;
};

}  // namespace neardup::remote::redis
