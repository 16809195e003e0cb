// Which two signatures are a candidate pair: those that are equal in a band, and in enough values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/fingerprint/equal_values.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/join/bands.h"

namespace neardup::engine {

/// In which values two signatures are equal.
struct Agreement {
  std::array<uint64_t, fingerprint::mask_words(fingerprint::kMaxSignatureValues)> equal;  // bit i: in value i
  uint32_t num_values = 0;
  uint32_t num_equal = 0;

  [[nodiscard]] bool at(size_t value) const { return (equal[value / 64] >> value % 64 & 1) != 0; }
  [[nodiscard]] uint32_t distance() const { return num_values - num_equal; }
};

/// Requires: both are of one length, at most kMaxSignatureValues. Cost: about 4 ns for 128 values.
[[nodiscard]] Agreement agreement_of(std::span<const uint16_t> a, std::span<const uint16_t> b);

/// Threads: const members from many at once.
class BandRule {
 public:
  BandRule() = default;  // without bands: nothing is a candidate pair
  /// `min_equal`: with fewer equal values two signatures are none, whatever their bands.
  /// Errors: those of join::make_bands().
  [[nodiscard]] static Result<BandRule> create(int num_values, int num_bands, int rows, int min_equal);

  /// For the joins and stars that find all such pairs of a set at once.
  [[nodiscard]] const std::vector<join::Band>& bands() const { return bands_; }
  [[nodiscard]] int min_equal() const { return min_equal_; }
  [[nodiscard]] bool meet_in(size_t band, const Agreement& agreement) const {
    return masks_[band].within(agreement.equal.data());
  }
  /// Returns the first band that is equal; their number where none is.
  [[nodiscard]] size_t first_met(const Agreement& agreement) const;
  [[nodiscard]] bool has_enough(const Agreement& agreement) const {
    return agreement.num_equal >= static_cast<uint32_t>(min_equal_);
  }
  [[nodiscard]] bool are_candidates(const Agreement& agreement) const {
    return has_enough(agreement) && first_met(agreement) < bands_.size();
  }

 private:
  std::vector<join::Band> bands_;
  std::vector<join::ValueMask> masks_;  // of the bands
  int min_equal_ = 0;
};

}  // namespace neardup::engine
