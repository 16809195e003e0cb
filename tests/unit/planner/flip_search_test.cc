// The best plans with flips, against every choice of blocks there is.
#include "neardup/planner/flip_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "neardup/planner/compare_plans.h"

namespace neardup::planner {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// What a block costs to the search: the time of a table among three, and a fifth of a nanosecond for each bucket.
class BlockPrices {
 public:
  explicit BlockPrices(const Workload& workload) {
    const int widest = std::min(40, std::max(8, static_cast<int>(std::bit_width(workload.num_fingerprints)) - 1));
    for (int flips = 0; flips <= 8; ++flips) {
      for (int bits = 0; bits <= 40; ++bits) {
        const double probes = hamming::num_probes({{}, bits, flips});
        const bool is_offered = bits >= 1 && bits <= widest && flips < bits && probes <= 1e6;
        prices_.push_back(
            is_offered ? 0.2 * probes + table_cost(workload, Machine(), {bits, flips, false, 3, 1}).batch_ns : kNever);
      }
    }
  }
  [[nodiscard]] double of(const hamming::Block& block) const {
    return block.bits > 40 || block.flips > 8 ? kNever : prices_[static_cast<size_t>(block.flips * 41 + block.bits)];
  }
  [[nodiscard]] double of(const std::vector<hamming::Block>& blocks) const {
    return std::accumulate(blocks.begin(), blocks.end(), 0.0,
                           [this](double sum, const hamming::Block& block) { return sum + of(block); });
  }

 private:
  std::vector<double> prices_;
};

// Tries all blocks for each table in turn.
double least_of_all(const BlockPrices& prices, int tables, int units, int width) {
  if (tables == 0) return units == 0 ? 0 : kNever;
  double least = kNever;
  for (int flips = 0; flips < units; ++flips) {
    for (int bits = 1; bits <= std::min(width, 40); ++bits) {
      const double price = prices.of({bits, flips});
      if (price >= least) continue;
      least = std::min(least, price + least_of_all(prices, tables - 1, units - flips - 1, width - bits));
    }
  }
  return least;
}

struct SearchCase {
  uint64_t count;
  int max_distance;
  int num_bits = 64;
};

class FlipSearchOf : public ::testing::TestWithParam<SearchCase> {
 protected:
  const Workload workload_{GetParam().count, GetParam().num_bits, GetParam().max_distance, hamming::Codec::kPacked,
                           Medium::kRam};
  const FlipSearch search_{workload_, Machine(), Skew()};
};

TEST_P(FlipSearchOf, FindsTheCheapestOfAllChoices) {
  const BlockPrices prices(workload_);
  for (int tables = 1; tables <= std::min(3, workload_.max_distance + 1); ++tables) {
    const auto blocks = search_.best(tables);
    const double least = least_of_all(prices, tables, workload_.max_distance + 1, workload_.num_bits);
    ASSERT_EQ(blocks.has_value(), least < kNever) << tables;
    if (!blocks) continue;
    EXPECT_NEAR(prices.of(*blocks), least, 1e-9 * least) << tables;
  }
}

TEST_P(FlipSearchOf, BlocksMakeACompletePlan) {
  for (int tables = 1; tables <= 8; ++tables) {
    const auto blocks = search_.best(tables);
    if (!blocks) continue;
    ASSERT_EQ(blocks->size(), static_cast<size_t>(tables));
    int units = 0, bits = 0;
    for (const hamming::Block& block : *blocks) units += block.flips + 1, bits += block.bits;
    EXPECT_EQ(units, workload_.max_distance + 1);
    EXPECT_LE(bits, workload_.num_bits);
    EXPECT_TRUE(std::ranges::is_sorted(*blocks, std::ranges::greater(), &hamming::Block::bits)) << "widest first";
    EXPECT_TRUE(hamming::check_plan(hamming::flip_plan(workload_.num_bits, workload_.max_distance, *blocks)));
  }
}

TEST_P(FlipSearchOf, HasNoPlanOfNoTablesOrOfMoreThanUnits) {
  EXPECT_FALSE(search_.best(0));
  EXPECT_FALSE(search_.best(-1));
  EXPECT_FALSE(search_.best(workload_.max_distance + 2));
  EXPECT_FALSE(search_.best(9));
}

INSTANTIATE_TEST_SUITE_P(Each, FlipSearchOf,
                         ::testing::Values(SearchCase{0, 3}, SearchCase{1000, 0}, SearchCase{1000, 2},
                                           SearchCase{1'000'000, 3}, SearchCase{100'000'000, 4},
                                           SearchCase{1'000'000, 5, 128}, SearchCase{10'000'000'000, 3}));

TEST(FlipSearchWithSkew, AvoidsWideBucketsWhereFingerprintsCrowd) {
  std::vector<uint64_t> crowded;
  for (uint64_t i = 0; i < 100'000; ++i) crowded.push_back((i * 0x9e3779b97f4a7c15) & 0x0f0f0f0f0f0f0f0f);
  const Workload workload{10'000'000, 64, 3, hamming::Codec::kPacked, Medium::kRam};
  const auto even = FlipSearch(workload, Machine(), Skew()).best(2);
  const auto skewed = FlipSearch(workload, Machine(), Skew(std::span<const uint64_t>(crowded))).best(2);
  ASSERT_TRUE(even && skewed);
  EXPECT_GE((*skewed)[0].bits + (*skewed)[1].bits, (*even)[0].bits + (*even)[1].bits)
      << "fuller buckets want longer prefixes";
}

}  // namespace
}  // namespace neardup::planner
