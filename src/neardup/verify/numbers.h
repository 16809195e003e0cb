// Do two texts of one template tell the same? Numbers are compared where both texts have a place for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// Replaces `placed` by two numbers for each number among `tokens` (token::marked_hash() of each), ascending, repeated
/// ones included: the hash of its place in the upper half, its own in the lower. One place is the two tokens before it,
/// the other the two behind it, other numbers among them counting as any number. Memory: 16 bytes a number.
void place_numbers(std::span<const uint32_t> tokens, std::vector<uint64_t>& placed);

/// Compares what place_numbers() has made of two texts. Cost: one merge.
[[nodiscard]] NumberMatch match_numbers(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// Returns whether so many numbers are the same that the two may tell the same: 7 of 10, or none has a common place.
[[nodiscard]] inline bool are_same(const NumberMatch& match) { return 10 * match.same >= 7 * match.placed; }

}  // namespace neardup::verify
