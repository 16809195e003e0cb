// What `neardup plan` shows: the table of plans, the choice, and how it is shared among machines.
#pragma once

#include <optional>
#include <string>

#include "neardup/planner/compare_plans.h"
#include "neardup/planner/spark_shuffle.h"

namespace neardup::cli {

/// Returns a time in three digits with its unit: "740 ns", "1.34 us", "12.0 ms", "3 min 20 s".
[[nodiscard]] std::string short_time(double ns);

/// What a deduplication on Spark is, where that is asked, too.
using Shuffle = std::optional<planner::ShuffleRequest>;

/// Returns the report for people.
[[nodiscard]] std::string plan_text(const planner::PlanRequest& request, const planner::PlanTable& table,
                                    const Shuffle& shuffle);

/// Returns one JSON object: the request, "plans" with all their costs, "chosen" and "reason",
/// "families" (families_report.h) and "spark" (shuffle_report.h).
[[nodiscard]] std::string plan_json(const planner::PlanRequest& request, const planner::PlanTable& table,
                                    const Shuffle& shuffle);

}  // namespace neardup::cli
