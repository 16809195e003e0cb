// Plans as people type them and as files name them.
#pragma once

#include <string_view>

#include "neardup/base/result.h"
#include "neardup/hamming/plan.h"

namespace neardup::hamming {

/// Returns the plan that `text` names, for so many bits and that distance, proven complete (check_plan):
///   permuted:BLOCKS,CHOOSE         permuted_plan()   permuted:4,1   permuted:5,2   permuted:6,3
///   two_level:OUTER,INNER          two_level_plan()  two_level:4,4
///   flips:BITS/FLIPS,BITS/FLIPS..  flip_plan()       flips:26/1,26/1   (26 alone is 26/0)
///   scan                           scan_plan()
/// The name of a plan (Plan::name) is its text: parse_plan(plan.name, plan.num_bits, plan.max_distance) gives it back.
/// Errors: kInvalidArgument (not of these forms, numbers out of range, not complete for the distance).
[[nodiscard]] Result<Plan> parse_plan(std::string_view text, int num_bits, int max_distance);

}  // namespace neardup::hamming
