// The longest common subsequence of two sequences of numbers, within a budget of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::diff {

/// For each element whether it is left out of the common subsequence; what is not left out is equal, in order.
struct SequenceDiff {
  std::vector<bool> only_a, only_b;
};

/// Returns a common subsequence of `a` and `b`, a longest one unless that takes more than `max_steps`; the rest is then
/// matched by elements that occur once in both (patience). Requires: elements < num_different, sizes < 2^30.
[[nodiscard]] SequenceDiff diff_sequences(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                          uint32_t num_different, uint64_t max_steps);

}  // namespace neardup::diff
