// Labels that name all duplicates, as a sample of clusters: pairs of one cluster are found or missed together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/evaluate/sample.h"
#include "neardup/evaluate/truth.h"

namespace neardup::evaluate {

/// Counts accepted pairs by the cluster of one of their documents; many clusters share a unit where there are more of
/// them. Memory: 16 bytes for each unit and setting, 2 for each group. Threads: one at a time.
class ClusterUnits {
 public:
  static constexpr uint32_t kMostUnits = 512;

  /// `document_of`: of each group one document. Setting {level, rule} is level * num_rules + rule.
  ClusterUnits(const Truth& truth, std::span<const uint32_t> document_of, size_t num_levels, size_t num_rules);

  /// `rule` accepts `count` pairs of group g with others from `level` on.
  void accept(uint32_t g, size_t rule, uint32_t level, const PairCount& count) {
    sample_.add(unit_of_[g], level * num_rules_ + rule, static_cast<double>(count.same),
                static_cast<double>(count.different));
  }

  /// Returns the sample; to be called once, at the end.
  [[nodiscard]] Sample take();

 private:
  size_t num_levels_;
  size_t num_rules_;
  std::vector<uint16_t> unit_of_;  // by group
  Sample sample_;                  // of each level alone, until take()
};

}  // namespace neardup::evaluate
