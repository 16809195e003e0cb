// What `neardup plan` shows: the table of plans, the choice, and how it is shared among machines.
#pragma once

#include <string>

#include "neardup/planner/compare_plans.h"

namespace neardup::cli {

/// Returns a time in three digits with its unit: "740 ns", "1.34 us", "12.0 ms", "3 min 20 s".
[[nodiscard]] std::string short_time(double ns);

/// Returns the report for people.
[[nodiscard]] std::string plan_text(const planner::PlanRequest& request, const planner::PlanTable& table);

/// Returns one JSON object: the request, "plans" with all their costs, "chosen" and "reason",
/// and "families" (families_report.h).
[[nodiscard]] std::string plan_json(const planner::PlanRequest& request, const planner::PlanTable& table);

}  // namespace neardup::cli
