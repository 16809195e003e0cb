// The lemma of docs/hamming.md asks that sum(threshold + 1) is distance + 1 over blocks that share no bit. Costs of
// tables add up, so the cheapest plan is a knapsack over both budgets, units of threshold + 1 and bits, solved exactly
// in under a millisecond.
// The model takes fingerprints for evenly spread and counts what the loops do: sorting keys, visiting buckets,
// comparing vectors. Its constants are cycles measured by bench_join on Zen 4. A wrong cost makes a slow plan, never a
// wrong one. Where spread is uneven for certain, in hot buckets, sample.cc has the last word.
// Which plans it chooses: docs/hamming.md, "How it is fast"; wider blocks that lose: bench/DEAD_ENDS.md.
#include "neardup/join/plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "neardup/join/bit_block.h"
#include "neardup/match/kernels.h"
#include "neardup/match/narrow.h"

namespace neardup::join {
namespace {

constexpr int kMaxPrefixBits = 26;  // an array of 2^26 offsets
constexpr int kMaxNarrowBits = 28;
constexpr int kMaxThreshold = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cycles, measured by bench_join on Zen 4.
constexpr double kBucketPair = 8.0;    // visiting bucket x ^ mask
constexpr double kBucketVisit = 30.0;  // beginning with bucket x
constexpr double kSortKey = 25.0;      // placing a key in its bucket

// Returns the number of masks of `bits` bits with at most `ones` ones.
double masks_count(int bits, int ones) {
  double sum = 1, term = 1;
  for (int i = 1; i <= std::min(bits, ones); ++i) sum += term = term * (bits - i + 1) / i;
  return sum;
}

// Expected cycles of the table of one block.
double table_cost(const PlanQuery& query, int bits, int threshold) {
  const double left = static_cast<double>(query.left), right = static_cast<double>(query.right);
  if (bits == 0) return scan_cost(left, right, query.self);
  const double buckets = std::ldexp(1.0, bits);
  const double pairs = masks_count(bits, threshold) * (query.self ? 0.5 : 1.0);
  const double a = left / buckets, b = right / buckets;
  const double steps = a * (b / static_cast<double>(match::kernel_lanes()) + 0.6) * match::kernel_step_cycles();
  // Keys fall into buckets at random: so many buckets are not empty.
  const double occupied = 1 - std::exp(-a);
  return buckets * (2 + occupied * kBucketVisit + pairs * (occupied * kBucketPair + steps)) +
         kSortKey * (query.self ? left : left + right);
}

// The same for narrow tables. A pair of buckets costs its tiles of eight left fingerprints, each with at least one
// vector of the right bucket.
constexpr double kTile = 10.0;
constexpr double kVector = 3.0;
constexpr double kGroupKey = 18.0;  // placing a fingerprint in its part and bucket
constexpr double kPartBits = 11;    // of a typical cut
constexpr double kKeepKey = 8.0;    // more where the table must stay in memory

double narrow_pair_cost(double a, double b, int limit) {
  const double tiles = 1 - std::exp(-a) + a / 10,
               vectors = std::max(1.0, b / static_cast<double>(match::narrow_lanes()) + 0.4);
  return tiles * (kTile + vectors * kVector) + a * vectors * match::narrow_step_cycles(limit);
}

double narrow_cost(const PlanQuery& query, int bits, int threshold) {
  const double buckets = std::ldexp(1.0, bits);
  const double a = static_cast<double>(query.left) / buckets, b = static_cast<double>(query.right) / buckets;
  const double lanes = static_cast<double>(match::narrow_lanes());
  double pairs = query.self ? a * (a / 2 / lanes + 0.5) * match::narrow_step_cycles(query.max_distance)
                            : narrow_pair_cost(a, b, query.max_distance);
  double masks = 1;
  for (int ones = 1; ones <= threshold; ++ones) {
    masks = masks * (bits - ones + 1) / ones;
    pairs += masks * (query.self ? 0.5 : 1.0) * narrow_pair_cost(a, b, query.max_distance - ones);
  }
  const double group = kGroupKey + (query.self && threshold > 0 ? kKeepKey : 0);
  // Between sets, left buckets are passed for each part of the right set that is a flip of high bits away.
  const double passed = query.self ? 4 : 4 + 2 * (1 + threshold * kPartBits);
  return buckets * (passed + (1 - std::exp(-a)) * kBucketVisit + pairs) + group * static_cast<double>(query.right) +
         (query.self ? 0 : (kGroupKey + kKeepKey) * static_cast<double>(query.left));
}

// The cheapest blocks for `units` = sum(threshold + 1) within so many bits: a knapsack over both.
struct Cell {
  double cost = kInfinity;
  int bits = 0;
  int threshold = 0;
};
constexpr int kMaxUnits = 17;                                      // distance 16 and 1
using Knapsack = std::array<std::array<Cell, 65>, kMaxUnits + 1>;  // [units][bits]

void fill_cell(Knapsack& best, const std::vector<std::vector<double>>& cost, int units, int width) {
  Cell& cell = best[units][width];
  for (int threshold = 0; threshold < units && threshold <= kMaxThreshold; ++threshold) {
    const auto& rest = best[units - threshold - 1];
    for (int bits = 1; bits <= std::min<int>(width, static_cast<int>(cost[0].size()) - 1); ++bits) {
      const double total = cost[threshold][bits] + rest[width - bits].cost;
      if (total < cell.cost) cell = {total, bits, threshold};
    }
  }
}

std::vector<std::vector<double>> table_costs(const PlanQuery& query) {
  const int widest = query.narrow ? kMaxNarrowBits : kMaxPrefixBits;
  std::vector<std::vector<double>> cost(kMaxThreshold + 1, std::vector<double>(static_cast<size_t>(widest) + 1));
  // Two keys to a bucket at least, on average: the offsets of the buckets then take 2 bytes a key.
  const int max_bits = std::max(1, static_cast<int>(std::bit_width(std::max(query.left, query.right))) - 2);
  for (int threshold = 0; threshold <= kMaxThreshold; ++threshold) {
    for (int bits = 1; bits <= widest; ++bits) {
      // A threshold near the width meets nearly everything: the scan does that better.
      const bool useful = threshold < bits && bits <= max_bits;
      const bool offered = useful && (!query.narrow || threshold <= query.max_distance);
      cost[threshold][bits] = !offered       ? kInfinity
                              : query.narrow ? narrow_cost(query, bits, threshold)
                                             : table_cost(query, bits, threshold);
    }
  }
  return cost;
}

// Widest block first: at the top level its table is the sorted set itself, best cut finely.
JoinPlan plan_of(const Knapsack& best, const PlanQuery& query) {
  int width = std::popcount(query.free_bits);
  std::vector<Cell> cells;
  for (int units = query.max_distance + 1; units > 0; units -= cells.back().threshold + 1) {
    cells.push_back(best[units][width]);
    width -= cells.back().bits;
  }
  std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.bits > b.bits; });
  JoinPlan plan{{}, best[query.max_distance + 1][std::popcount(query.free_bits)].cost};
  uint64_t free_bits = query.free_bits;
  for (const Cell& cell : cells) {
    plan.blocks.push_back({highest_bits(free_bits, cell.bits), cell.threshold});
    free_bits &= ~plan.blocks.back().mask;
  }
  return plan;
}

}  // namespace

double scan_cost(double left, double right, bool self) {
  return left * (right * (self ? 0.5 : 1.0) / static_cast<double>(match::kernel_lanes()) + 1) *
         match::kernel_step_cycles();
}

JoinPlan choose_plan(const PlanQuery& query) {
  const int width = std::popcount(query.free_bits);
  JoinPlan scan{{{0, query.max_distance}}, table_cost(query, 0, query.max_distance)};
  const auto cost = table_costs(query);
  Knapsack best;
  for (Cell& cell : best[0]) cell.cost = 0;  // no unit left to spend: done
  for (int units = 1; units <= query.max_distance + 1; ++units) {
    for (int w = 0; w <= width; ++w) fill_cell(best, cost, units, w);
  }
  if (best[query.max_distance + 1][width].cost >= scan.cost) return scan;
  return plan_of(best, query);
}

std::vector<uint32_t> masks_within(int bits, int max_ones) {
  std::vector<uint32_t> masks;
  for (int ones = 0; ones <= std::min(bits, max_ones); ++ones) {
    if (ones == 0) {
      masks.push_back(0);
      continue;
    }
    // Gosper's walk over all numbers with the same number of ones.
    const uint64_t end = uint64_t{1} << bits;
    for (uint64_t mask = (uint64_t{1} << ones) - 1; mask < end;) {
      masks.push_back(static_cast<uint32_t>(mask));
      const uint64_t low = mask & (~mask + 1), ripple = mask + low;
      mask = (((ripple ^ mask) >> 2) / low) | ripple;
    }
  }
  return masks;
}

}  // namespace neardup::join
