// What a plan would really cost on fingerprints that are not evenly spread, from a sample of pairs.
#pragma once

#include "neardup/join/plan.h"
#include "neardup/join/solver.h"

namespace neardup::join {

/// Returns the cycles that `plan` is expected to take on `problem`: how many pairs each table meets, and how many of
/// them are hits that must be looked at, is counted on random pairs of the problem. Plan::cost takes even spread for
/// granted; in a hot bucket nothing is. Cost: a few microseconds.
[[nodiscard]] double sampled_cost(const Problem& problem, const JoinPlan& plan, int max_distance);

}  // namespace neardup::join
