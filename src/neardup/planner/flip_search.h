// The best plans with flips: blocks and thresholds by the cost model, for each number of tables.
#pragma once

#include <optional>
#include <vector>

#include "neardup/planner/cost_model.h"

namespace neardup::planner {

/// A knapsack over the tables, the sum of their (flips + 1), which must be max_distance + 1, and the bits that are
/// left.
class FlipSearch {
 public:
  /// Cost: milliseconds; with a skew, a sort of its sample for each width of a block.
  FlipSearch(const Workload& workload, const Machine& machine, const Skew& skew);

  /// Returns the blocks of the plan of so many tables that answers batches fastest, widest first; nullopt where there
  /// is none that reads fewer buckets than a scan would.
  [[nodiscard]] std::optional<std::vector<hamming::Block>> best(int num_tables) const;

 private:
  struct Cell {
    double ns = 0;
    hamming::Block block;
  };
  [[nodiscard]] size_t index(int tables, int units, int width) const;
  void price_blocks(const Workload& workload, const Machine& machine, const Skew& skew);
  void fill(int tables, int units, int width);

  int num_bits_;
  int max_units_;  // sum of (flips + 1): the distance and one
  int max_tables_;
  std::vector<std::vector<double>> price_;  // [flips][bits]
  std::vector<Cell> cells_;                 // [tables][units][width]: the cheapest choice, by its last block
};

}  // namespace neardup::planner
