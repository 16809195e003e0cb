// Plans with flips are blocks that share no bit, with sum(flips + 1) = distance + 1 (docs/hamming.md, Plans); prices of
// blocks add up. So for each number of tables the best one is a knapsack over units of flips + 1 and bits. The number
// of tables is a dimension of its own, for what is best depends on memory, and the choice among them is not made here.
// What is not known while blocks are chosen is set to what is usual: three tables that share the caches, and an average
// place in the fingerprint for the skew. compare_plans() prices the plans that come out of it as they are.
#include "neardup/planner/flip_search.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace neardup::planner {
namespace {

constexpr int kMaxFlipTables = 8;
constexpr int kUsualTables = 3;  // for the price of a block, before it is known how many there will be
constexpr int kMaxFlips = 8;
constexpr int kMaxPrefix = 40;
constexpr double kMaxProbes = 1e6;
constexpr double kTie = 0.2;  // nanoseconds
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

FlipSearch::FlipSearch(const Workload& workload, const Machine& machine, const Skew& skew)
    : num_bits_(workload.num_bits),
      max_units_(workload.max_distance + 1),
      max_tables_(std::min(kMaxFlipTables, workload.max_distance + 1)) {
  price_blocks(workload, machine, skew);
  cells_.resize(index(max_tables_, max_units_, num_bits_) + 1, {kInfinity, {}});
  for (int width = 0; width <= num_bits_; ++width) cells_[index(0, 0, width)].ns = 0;  // all units are spent
  for (int tables = 1; tables <= max_tables_; ++tables) {
    for (int units = tables; units <= max_units_; ++units) {
      for (int width = tables; width <= num_bits_; ++width) fill(tables, units, width);
    }
  }
}

size_t FlipSearch::index(int tables, int units, int width) const {
  return static_cast<size_t>((tables * (max_units_ + 1) + units) * (num_bits_ + 1) + width);
}

void FlipSearch::price_blocks(const Workload& workload, const Machine& machine, const Skew& skew) {
  price_.assign(kMaxFlips + 1, std::vector<double>(kMaxPrefix + 1, kInfinity));
  // Buckets of one or two keys are as good as empty; wider prefixes only leave fewer places to tell them apart by.
  const int widest = std::min(kMaxPrefix, std::max(8, static_cast<int>(std::bit_width(workload.num_fingerprints)) - 1));
  for (int bits = 1; bits <= widest; ++bits) {
    // Where the block will lie is not known yet: the average of both ends.
    const double fullness = (skew.fullness(num_bits_ - 1, bits) + skew.fullness(bits - 1, bits)) / 2;
    for (int flips = 0; flips <= std::min(kMaxFlips, bits - 1); ++flips) {
      if (hamming::num_probes({{}, bits, flips}) > kMaxProbes) break;
      // Among blocks that cost the same, the one with the fewest buckets: other codecs read each of them.
      price_[flips][bits] = kTie * hamming::num_probes({{}, bits, flips}) +
                            table_cost(workload, machine, {bits, flips, false, kUsualTables, fullness}).batch_ns;
    }
  }
}

void FlipSearch::fill(int tables, int units, int width) {
  Cell& cell = cells_[index(tables, units, width)];
  for (int flips = 0; flips <= std::min(kMaxFlips, units - tables); ++flips) {
    for (int bits = 1; bits <= std::min(width, kMaxPrefix); ++bits) {
      const double ns = price_[flips][bits] + cells_[index(tables - 1, units - flips - 1, width - bits)].ns;
      if (ns < cell.ns) cell = {ns, {bits, flips}};
    }
  }
}

std::optional<std::vector<hamming::Block>> FlipSearch::best(int num_tables) const {
  if (num_tables < 1 || num_tables > max_tables_) return std::nullopt;
  if (cells_[index(num_tables, max_units_, num_bits_)].ns == kInfinity) return std::nullopt;
  std::vector<hamming::Block> blocks;
  int units = max_units_, width = num_bits_;
  for (int tables = num_tables; tables > 0; --tables) {
    const hamming::Block block = cells_[index(tables, units, width)].block;
    blocks.push_back(block);
    units -= block.flips + 1;
    width -= block.bits;
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const hamming::Block& a, const hamming::Block& b) { return a.bits > b.bits; });
  return blocks;
}

}  // namespace neardup::planner
