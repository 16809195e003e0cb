// A report for a place with little room, and its ids under other names.
#pragma once

#include <functional>
#include <string>

#include "neardup/report/figures.h"

namespace neardup::report {

/// What of a report goes to a place with little room.
struct ShortLimits {
  ExplorationLimits exploration = {2000, 4000};
  size_t examples = 24;
  size_t clusters = 5;
};

/// Returns `report` within `limits`: examples from the whole range, every nth; the first clusters. The page of it says
/// how many examples it has, and what it leaves out of the clusters.
[[nodiscard]] Report shortened(Report report, const ShortLimits& limits = {});

/// Calls `visit` with each id of a document that the report shows, which it may change. Ids in sentences (warnings,
/// commands) are not among them.
void for_each_id(Report& report, const std::function<void(std::string& id)>& visit);

}  // namespace neardup::report
