// Which blocks of bits to cut, how many bits may differ in each, chosen by what it will cost.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup::join {

/// A block of bits and its threshold: the table of this block meets every pair that differs in at most `threshold` of
/// its bits.
struct JoinBlock {
  uint64_t mask = 0;
  int threshold = 0;
  bool operator==(const JoinBlock&) const = default;
};

/// A complete plan: the blocks share no bit and sum(threshold + 1) = max_distance + 1, so every pair within
/// max_distance is met by at least one (proof in docs/hamming.md). One block without bits is the linear scan.
struct JoinPlan {
  std::vector<JoinBlock> blocks;
  double cost = 0;  // cycles, expected on evenly spread fingerprints
  [[nodiscard]] bool is_scan() const { return blocks.size() == 1 && blocks[0].mask == 0; }
};

/// What is to be joined: so many fingerprints of each side (`left` with itself where `self`) within `max_distance`
/// bits of `free_bits`.
struct PlanQuery {
  uint64_t left = 0;
  uint64_t right = 0;
  bool self = false;
  uint64_t free_bits = ~uint64_t{0};
  int max_distance = 0;
  bool narrow = false;  // for narrow tables (narrow_table.h) instead of whole fingerprints
};

/// Returns the cheapest plan by the cost model. The first block takes the highest free bits. Cost: under a millisecond.
[[nodiscard]] JoinPlan choose_plan(const PlanQuery& query);

/// Returns the cost in cycles of comparing each with each.
[[nodiscard]] double scan_cost(double left, double right, bool self);

/// Returns every number of `bits` bits with at most `max_ones` ones, ascending by ones.
[[nodiscard]] std::vector<uint32_t> masks_within(int bits, int max_ones);

}  // namespace neardup::join
