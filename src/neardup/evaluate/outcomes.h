// What becomes of each judged pair under each setting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/evaluate/sample.h"
#include "neardup/evaluate/truth.h"

namespace neardup::evaluate {

/// Judged pairs of one grade and stratum.
struct JudgedSlice {
  uint8_t grade = 0;
  uint16_t stratum = 0;
  bool same = true;
  uint64_t pairs = 0;
  std::vector<uint64_t> found = {};  // by setting
};

/// Memory: for each place and rule 1 byte. Threads: one at a time.
class Outcomes {
 public:
  /// A sample has no more units than this, the same share of them for each stratum: of more pairs some make a unit.
  static constexpr size_t kMostUnits = 1024;

  /// Setting {level, rule} is level * num_rules + rule. `truth` must outlive this. Requires: fewer than 255 levels, no
  /// more strata than kMostUnits.
  Outcomes(const Truth& truth, size_t num_levels, size_t num_rules);

  /// `rule` accepts the pairs of these groups from `level` on. Pairs without a judgement are passed over.
  void accept(uint32_t g, uint32_t h, size_t rule, uint32_t level);

  /// Returns the slices by grade, then stratum.
  [[nodiscard]] std::vector<JudgedSlice> slices() const;
  /// Returns a sample whose units are judged pairs, in strata.
  [[nodiscard]] Sample sample() const;

 private:
  template <class Take>
  void for_each_accepted(const JudgedPair& pair, Take&& take) const;

  const Truth& truth_;
  size_t num_levels_;
  size_t num_rules_;
  std::vector<uint8_t> first_levels_;  // of rule r at place p: [p * num_rules_ + r]; num_levels_ where never
};

}  // namespace neardup::evaluate
