// Sums over tallies and sizes that more than one form of the report needs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/report/figures.h"

namespace neardup::report {

/// Returns how many documents were removed: exact, near and contained ones.
[[nodiscard]] inline uint64_t removed(const Tally& tally) { return tally.exact + tally.near + tally.contained; }

/// Adds the counts of `tally` to those of `sum`, which keeps its name.
void add(Tally& sum, const Tally& tally);

/// Returns the sum of `tallies` under `name`.
[[nodiscard]] Tally sum_of(std::span<const Tally> tallies, std::string name);

/// One bar of a histogram.
struct Bar {
  std::string label;
  uint64_t count = 0;
};

/// Returns report.values_histogram, each step under the least number of values that differ; at least eight steps, of
/// more those up to the last that counts any.
[[nodiscard]] std::vector<Bar> values_bars(const Report& report);
/// Returns distances 0..last, where last is the larger of the distance searched and the largest one that occurs.
[[nodiscard]] std::vector<Bar> distance_bars(const Report& report);

/// Returns similarities in steps of .05 from the first that occurs or that the rule asks for (at most .5) to 1; labels
/// are the lower ends: ".85".
[[nodiscard]] std::vector<Bar> similarity_bars(const Report& report);

/// Returns how many clusters have 2, 3-4, 5-8, 9-16, ... documents, empty bins between included; labels are the upper
/// ends: "2", "4", "8".
[[nodiscard]] std::vector<Bar> cluster_size_bars(const Report& report);

}  // namespace neardup::report
