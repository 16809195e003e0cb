// The plan of the newest entries, which stand in memory, few and close together.
#pragma once

#include "neardup/hamming/plan.h"

namespace neardup::store {

/// Returns the plan with which a query of a MemTable of `capacity` entries costs least, by a count of the chains it
/// reads and the entries it meets there; a scan where that is cheaper. Complete for max_distance.
[[nodiscard]] hamming::Plan mem_plan(int num_bits, int max_distance, uint32_t capacity);

}  // namespace neardup::store
