// For tables of a few hundred thousand entries in the second-level cache: other costs than those of a large index, so a
// model of its own, by what a query reads: chains, entries in them, or everything. Where a query would read more chains
// than there are entries it scans. docs/design/updates.md, "The table of the newest entries".
#include "neardup/store/mem_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace neardup::store {

namespace {

// Nanoseconds, of tables that mostly stay in the second-level cache.
constexpr double kPerChain = 6, kPerEntry = 5, kPerScanned = 1, kPerTable = 15;

// `num_blocks` blocks that share the flips that max_distance asks for.
hamming::Plan plan_of(int num_bits, int max_distance, int num_blocks, int prefix_bits) {
  const int flips = max_distance - num_blocks + 1;
  std::vector<hamming::Block> blocks;
  for (int i = 0; i < num_blocks; ++i) {
    const int share = flips / num_blocks + (i < flips % num_blocks ? 1 : 0);
    blocks.push_back({std::min(num_bits / num_blocks, prefix_bits), share});
  }
  return hamming::flip_plan(num_bits, max_distance, blocks);
}

double cost_of(const hamming::Plan& plan, uint32_t capacity) {
  double cost = 0;
  for (const hamming::TableLayout& table : plan.tables)
    cost += kPerTable + hamming::num_probes(table) * (kPerChain + kPerEntry * capacity / std::exp2(table.prefix_bits));
  return cost;
}

}  // namespace

hamming::Plan mem_plan(int num_bits, int max_distance, uint32_t capacity) {
  hamming::Plan best = hamming::scan_plan(num_bits, max_distance);
  double least = kPerScanned * capacity;
  const int prefix_bits = std::clamp<int>(std::bit_width(capacity), 1, num_bits / 2);
  for (int num_blocks = 1; num_blocks <= std::min(max_distance + 1, 16); ++num_blocks) {
    if (max_distance - num_blocks + 1 > num_blocks * (std::min(num_bits / num_blocks, prefix_bits) - 1)) continue;
    hamming::Plan plan = plan_of(num_bits, max_distance, num_blocks, prefix_bits);
    if (const double cost = cost_of(plan, capacity); cost < least) {
      least = cost;
      best = std::move(plan);
    }
  }
  return best;
}

}  // namespace neardup::store
