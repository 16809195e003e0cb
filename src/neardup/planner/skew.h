// How unevenly fingerprints are spread, measured on a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/plan.h"

namespace neardup::planner {

/// A sample of a set, for the question how full the buckets are that queries read. Queries are taken to be spread like
/// the set itself. Equal fingerprints count once, as in an index. Threads: any.
class Skew {
 public:
  /// The default: evenly spread.
  Skew() = default;
  /// Keeps at most 2^17 of `fingerprints`, evenly chosen.
  template <fingerprint::AnyFingerprint F>
  explicit Skew(std::span<const F> fingerprints);

  /// Returns how many times fuller the buckets of this table are, as queries meet them, than evenly filled ones: 1 or
  /// more. Cost: a sort of the sample.
  [[nodiscard]] double fullness(const hamming::TableLayout& table) const;
  /// The same for prefixes of so many bits that begin at bit number `top`. Cost: the same.
  [[nodiscard]] double fullness(int top, int bits) const;
  [[nodiscard]] bool is_even() const { return sample_.size() < 2; }
  [[nodiscard]] size_t sample_size() const { return sample_.size(); }

 private:
  [[nodiscard]] double fullness_of(std::vector<fingerprint::Fingerprint128>& prefixes, int bits) const;

  std::vector<fingerprint::Fingerprint128> sample_;  // ascending, each once; empty: even
};

}  // namespace neardup::planner
