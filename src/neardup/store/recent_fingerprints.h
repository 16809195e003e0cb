// The fingerprints of the documents that came last: what came since a decision was prepared is compared one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"

namespace neardup::store {

/// Threads: one at a time.
template <fingerprint::AnyFingerprint F>
class RecentFingerprints {
 public:
  /// So many documents are kept: looking through them costs about as much as asking the index.
  static constexpr uint64_t kMost = 2048;

  /// `num_fingerprints`: of each document.
  explicit RecentFingerprints(uint32_t num_fingerprints)
      : numbers_(kMost), fingerprints_(kMost * num_fingerprints), stride_(num_fingerprints) {}

  /// Requires: `number` is greater than all before; there are num_fingerprints.
  void add(uint64_t number, std::span<const F> fingerprints) {
    const uint64_t place = count_++ % kMost;
    numbers_[place] = number;
    std::copy(fingerprints.begin(), fingerprints.end(),
              fingerprints_.begin() + static_cast<ptrdiff_t>(place * stride_));
  }
  /// Returns whether a document of number `first` or a later one is within `max_distance` in one fingerprint; true also
  /// where some of them are not kept any more. `words`: as a record has them.
  [[nodiscard]] bool may_reach(uint64_t first, std::span<const uint64_t> words, int max_distance) const;

 private:
  std::vector<uint64_t> numbers_;  // a ring, as below
  std::vector<F> fingerprints_;
  uint64_t stride_;
  uint64_t count_ = 0;  // so many were added
};

}  // namespace neardup::store
