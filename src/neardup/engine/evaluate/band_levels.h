// How many bands it takes until a pair of signatures is a candidate.
#pragma once

#include <span>
#include <vector>

#include "neardup/engine/match/band_rule.h"
#include "neardup/engine/match/signatures.h"

namespace neardup::engine {

/// Levels of MinHash: level i takes the first num_bands(i) bands. They go in steps of an eighth of the recipe's bands
/// (of one band, where it has fewer than eight), to twice as many where there are so many different ones. Threads:
/// const members from many at once.
class BandLevels {
 public:
  /// `source` holds the signature of active[i] as row i; where all fit in `memory_bytes` they are loaded.
  /// Errors: those of make_bands, and what the source returns.
  [[nodiscard]] static Result<BandLevels> create(const recipe::MinHashSpec& spec, join::SignatureSource source,
                                                 std::span<const uint32_t> active, uint64_t memory_bytes);

  struct Place {
    uint32_t level = 0;
    uint32_t num_equal = 0;
  };
  /// Requires: both groups are active, and they meet in a band. Errors: what the source returns.
  [[nodiscard]] Result<Place> place(uint32_t g, uint32_t h) const;

  /// All bands, those of the highest level.
  [[nodiscard]] const BandRule& rule() const { return rule_; }
  [[nodiscard]] size_t num_levels() const { return num_levels_; }
  [[nodiscard]] int num_bands(size_t level) const { return static_cast<int>((level + 1) * of_recipe_ / steps_); }
  /// The level of the recipe itself.
  [[nodiscard]] size_t standard() const { return steps_ - 1; }
  /// The signatures: in memory where they fit.
  [[nodiscard]] join::SignatureSource source() const {
    return values_.empty() ? source_ : join::signatures_in_memory(values_, source_.num_values);
  }

 private:
  BandLevels() = default;
  Result<std::span<const uint16_t>> signature(uint32_t group, std::vector<uint16_t>& buffer) const;

  BandRule rule_;
  size_t of_recipe_ = 1;  // bands
  size_t steps_ = 1;      // levels up to these
  size_t num_levels_ = 1;
  join::SignatureSource source_;
  std::span<const uint32_t> active_;
  LargeArray<uint16_t> values_;
};

}  // namespace neardup::engine
