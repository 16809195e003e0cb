// Whether tables meet every difference of at most k bits: an exact search for one that they all miss.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/plan.h"

namespace neardup::hamming {

/// Returns a difference of at most plan.max_distance bits (a set bit = a bit that differs) that every table of the plan
/// misses: popcount within its prefix > its flips. Returns nullopt where there is none, that is a proof that the plan
/// is complete.
/// Cost: microseconds for the plans of plan.h; limited for any other.
/// Requires: a plan that is well-formed (see check_plan). Errors: kInvalidArgument (too intricate to be decided within
/// the limit).
[[nodiscard]] Result<std::optional<fingerprint::Fingerprint128>> find_missed(const Plan& plan);

}  // namespace neardup::hamming
