// The bits of a fingerprint in the order of a table, and back.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "neardup/fingerprint/wide.h"

namespace neardup::hamming {

/// A permutation of bits as a few masked shifts: one for each run of bits that stay together (a block of a plan is
/// one). Threads: any.
template <fingerprint::AnyFingerprint F>
class KeyOrder {
 public:
  static constexpr int kBits = fingerprint::kBitsOf<F>;

  KeyOrder() = default;
  /// `order` as in TableLayout: order[i] is the bit at place i, place 0 most significant. Requires: a permutation.
  explicit KeyOrder(std::span<const uint8_t> order) {
    for (int place = 0; place < kBits;) {
      const int top = order[place];
      int length = 1;
      while (place + length < kBits && order[place + length] == top - length) ++length;
      const F ones = length == kBits ? ~F{0} : (F{1} << length) - 1;
      const int low = top - length + 1;            // of the fingerprint
      const int key_low = kBits - place - length;  // of the key
      runs_[num_runs_++] = {ones << low, ones << key_low, key_low - low};
      place += length;
    }
  }

  [[nodiscard]] F key_of(F value) const {
    F key = 0;
    for (int i = 0; i < num_runs_; ++i) key |= shift(value & runs_[i].from, runs_[i].left);
    return key;
  }
  [[nodiscard]] F value_of(F key) const {
    F value = 0;
    for (int i = 0; i < num_runs_; ++i) value |= shift(key & runs_[i].to, -runs_[i].left);
    return value;
  }

 private:
  struct Run {
    F from = 0;    // the run's bits in the fingerprint
    F to = 0;      // and in the key
    int left = 0;  // how far they move towards the most significant end
  };
  static F shift(F bits, int left) { return left >= 0 ? bits << left : bits >> -left; }

  int num_runs_ = 0;
  std::array<Run, static_cast<size_t>(kBits)> runs_{};
};

}  // namespace neardup::hamming
