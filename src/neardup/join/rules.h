// Which hits an earlier table has met.
#pragma once

#include <span>
#include <vector>

#include "neardup/join/plan.h"
#include "neardup/match/hits.h"

namespace neardup::join {

/// Blocks whose tables came before: a pair that differs in at most `threshold` bits of one of them was met there.
using Rules = std::vector<JoinBlock>;

/// Writes those hits that no block of `rules` has met to `out`, in order, and returns how many they are.
/// Requires: room for all of `hits` in `out`. Cost: about a nanosecond for each hit and rule.
[[nodiscard]] size_t drop_met(std::span<const match::Hit> hits, const Rules& rules, match::Hit* out);

}  // namespace neardup::join
