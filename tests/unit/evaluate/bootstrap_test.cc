#include "neardup/evaluate/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace neardup::evaluate {
namespace {

// Duplicates one by one: the first `both` are found by settings 0 and 1, the next by one of them alone, the rest not.
Sample sample_of(uint32_t both, uint32_t first, uint32_t second, uint32_t none, size_t num_settings = 2) {
  const uint32_t size = both + first + second + none;
  Sample sample(std::span(&size, 1), num_settings);
  for (uint32_t unit = 0; unit < size; ++unit) {
    sample.add_same(unit, 1);
    if (unit < both + first) sample.add(unit, 0, 1, 0);
    if (unit < both || (unit >= both + first && unit < both + first + second)) sample.add(unit, 1, 1, 0);
  }
  return sample;
}

TEST(Bootstrap, DrawsEachStratumForItself) {
  const uint32_t strata[] = {0, 5, 5, 1029};
  std::vector<uint16_t> times(1029), again(1029);
  std::vector<double> sum(1029, 0);
  for (uint32_t replicate = 0; replicate < 200; ++replicate) {
    draw_units(strata, replicate, times);
    EXPECT_EQ(std::accumulate(times.begin(), times.begin() + 5, 0), 5);
    EXPECT_EQ(std::accumulate(times.begin() + 5, times.end(), 0), 1024);
    for (size_t i = 0; i < times.size(); ++i) sum[i] += times[i];
  }
  draw_units(strata, 199, again);
  EXPECT_EQ(again, times);
  draw_units(strata, 198, again);
  EXPECT_NE(again, times);
  for (const double total : sum) EXPECT_NEAR(total, 200, 75);  // five times their deviation of about 14
}

// The same on every machine: these were drawn once.
TEST(Bootstrap, DrawsTheSameUnitsForEver) {
  const uint32_t strata[] = {0, 8};
  std::vector<uint16_t> times(8);
  draw_units(strata, 0, times);
  EXPECT_EQ(times, (std::vector<uint16_t>{0, 1, 1, 1, 0, 3, 2, 0}));
}

// The difference of two shares of the same pairs: variance (b + c - (b - c)^2 / n) / n^2 (McNemar).
TEST(Bootstrap, OfPairedSharesHasTheKnownVariance) {
  const Sample sample = sample_of(500, 90, 40, 370);
  const Comparison compared = compare(sample, 0, 1);
  EXPECT_NEAR(compared.recall.value, 0.05, 1e-12);
  const double half = 1.96 * std::sqrt(130 - 50.0 * 50 / 1000) / 1000;
  EXPECT_NEAR(compared.recall.interval.low, 0.05 - half, 0.003);
  EXPECT_NEAR(compared.recall.interval.high, 0.05 + half, 0.003);
  EXPECT_EQ(compared.num_different, 130U);
  EXPECT_TRUE(compared.is_beyond_chance);
  EXPECT_EQ(compared.precision.value, 0);
  const Comparison reverse = compare(sample, 1, 0);
  EXPECT_NEAR(reverse.f1.value, -compared.f1.value, 1e-12);
  EXPECT_NEAR(reverse.f1.interval.low, -compared.f1.interval.high, 1e-12);
}

TEST(Bootstrap, AgreesWithIntervalsOfTheSetting) {
  const Sample sample = sample_of(0, 700, 0, 300);  // setting 1 finds nothing: the difference is setting 0 itself
  const Comparison compared = compare(sample, 0, 1);
  const Interval expected = interval(Measure::kF1, sample, 0);
  EXPECT_NEAR(compared.f1.interval.low, expected.low, 0.005);
  EXPECT_NEAR(compared.f1.interval.high, expected.high, 0.005);
}

TEST(Bootstrap, FewDifferencesAreChance) {
  EXPECT_FALSE(compare(sample_of(0, 1, 0, 0), 0, 1).is_beyond_chance);
  EXPECT_FALSE(compare(sample_of(50, kLeastDifferent - 1, 0, 5), 0, 1).is_beyond_chance);
  EXPECT_TRUE(compare(sample_of(50, kLeastDifferent, 0, 5), 0, 1).is_beyond_chance);
  EXPECT_FALSE(compare(sample_of(50, 20, 20, 5), 0, 1).is_beyond_chance);
  EXPECT_FALSE(compare(sample_of(50, 0, 0, 5), 0, 1).is_beyond_chance);
}

// Two hundred settings that each find another random half of the pairs: the best of them is no better than another.
TEST(Bootstrap, TheBestOfManyByChanceIsChance) {
  const uint32_t size = 300;
  constexpr size_t kSettings = 200;
  Sample sample(std::span(&size, 1), kSettings + 1);
  uint64_t state = 1;
  for (uint32_t unit = 0; unit < size; ++unit) {
    sample.add_same(unit, 1);
    for (size_t setting = 0; setting < kSettings; ++setting) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      if (state >> 63 != 0) sample.add(unit, setting, 1, 0);
    }
    if (unit < 270) sample.add(unit, kSettings, 1, 0);  // one that is truly better
  }
  std::vector<size_t> tried(kSettings);
  std::iota(tried.begin(), tried.end(), size_t{0});
  const auto right = [&sample](size_t setting) { return sample.total(setting).right; };
  const size_t best = std::ranges::max(tried, {}, right);
  const size_t base = *std::ranges::find_if(tried, [&](size_t setting) { return right(setting) < 147; });
  EXPECT_TRUE(compare(sample, best, base).is_beyond_chance) << "looked at alone it seems so";
  const Comparison compared = compare_best(sample, best, base, tried);
  EXPECT_FALSE(compared.is_beyond_chance);
  EXPECT_EQ(compared.num_tried, kSettings);
  tried.push_back(kSettings);
  EXPECT_TRUE(compare_best(sample, kSettings, base, tried).is_beyond_chance);
}

}  // namespace
}  // namespace neardup::evaluate
