// Intervals against published values and closed forms.
#include "neardup/evaluate/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace neardup::evaluate {
namespace {

// Pairs one by one: `right` and `wrong` accepted, `missed` duplicates that are not.
Sample sample_of(int right, int wrong, int missed, double weight = 1) {
  const uint32_t size = static_cast<uint32_t>(right + wrong + missed);
  Sample sample(std::span(&size, 1), 1);
  for (uint32_t unit = 0; unit < size; ++unit) {
    const bool is_right = unit < static_cast<uint32_t>(right);
    const bool is_wrong = !is_right && unit < static_cast<uint32_t>(right + wrong);
    sample.add(unit, 0, is_right ? weight : 0, is_wrong ? weight : 0);
    if (!is_wrong) sample.add_same(unit, weight);
  }
  return sample;
}

void expect_near(const Interval& found, const Interval& expected, double within) {
  EXPECT_NEAR(found.low, expected.low, within);
  EXPECT_NEAR(found.high, expected.high, within);
}

// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
// method 3.
TEST(Wilson, IsAsPublished) {
  expect_near(share_interval(81, 263), {0.2553, 0.3662}, 5e-5);
  expect_near(share_interval(15, 148), {0.0624, 0.1605}, 5e-5);
  expect_near(share_interval(0, 20), {0, 0.1611}, 5e-5);
  expect_near(share_interval(1, 29), {0.0061, 0.1718}, 5e-5);
}

TEST(Wilson, HasItsEnds) {
  EXPECT_EQ(share_interval(0, 0), (Interval{0, 1}));
  EXPECT_EQ(share_interval(0, 7).low, 0);
  EXPECT_EQ(share_interval(7, 7).high, 1);
  EXPECT_EQ(wilson(0.5, 0), (Interval{0, 1}));
}

TEST(Interval, OfPlainPairsIsWilsons) {
  const Sample sample = sample_of(300, 100, 50);
  expect_near(interval(Measure::kPrecision, sample, 0), share_interval(300, 400), 1e-12);
  expect_near(interval(Measure::kRecall, sample, 0), share_interval(300, 350), 1e-12);
  const Interval j = share_interval(300, 450);  // F1 = 2 J / (1 + J)
  expect_near(interval(Measure::kF1, sample, 0), {2 * j.low / (1 + j.low), 2 * j.high / (1 + j.high)}, 1e-12);
  expect_near(interval(Measure::kF1, sample_of(300, 100, 50, 7.5), 0), interval(Measure::kF1, sample, 0), 1e-12);
}

TEST(Interval, OfAllOrNoneIsWilsons) {
  expect_near(interval(Measure::kPrecision, sample_of(20, 0, 5), 0), share_interval(20, 20), 1e-12);
  expect_near(interval(Measure::kRecall, sample_of(0, 3, 12), 0), share_interval(0, 12), 1e-12);
  EXPECT_EQ(interval(Measure::kPrecision, sample_of(0, 0, 5), 0), (Interval{0, 1}));
}

// Ten pairs that fall together are no more than one; where clusters are not alike, nearly so.
TEST(Interval, OfClustersIsThatOfTheirNumber) {
  const uint32_t size = 50;
  Sample sample(std::span(&size, 1), 2);
  for (uint32_t unit = 0; unit < size; ++unit) {
    const double pairs[] = {10, unit % 2 == 0 ? 9.0 : 11.0};
    for (size_t setting = 0; setting < 2; ++setting)
      sample.add(unit, setting, unit < 30 ? pairs[setting] : 0, unit < 30 ? 0 : pairs[setting]);
  }
  expect_near(interval(Measure::kPrecision, sample, 0), share_interval(30, 50), 1e-12);
  expect_near(interval(Measure::kPrecision, sample, 1), share_interval(30, 50), 1e-2);
}

// One cluster of ten pairs that is found and one of a pair that is not say next to nothing.
TEST(Interval, OfTwoClustersIsWide) {
  const uint32_t size = 2;
  Sample sample(std::span(&size, 1), 1);
  sample.add_same(0, 10), sample.add(0, 0, 9, 0);
  sample.add_same(1, 1), sample.add(1, 0, 0, 0);
  const Interval found = interval(Measure::kRecall, sample, 0);
  EXPECT_LT(found.low, 0.2);
  EXPECT_GT(found.high, 0.95);
}

// Two strata, the second of which stands for nine times as many: the variance of a weighted mean of shares, Cochran,
// Sampling techniques, 5.3.
TEST(Interval, OfStrataFollowsFromTheirVariances) {
  const uint32_t sizes[] = {100, 200};
  Sample sample(sizes, 1);
  const double weights[] = {1, 4.5};  // 100 and 900
  for (uint32_t unit = 0; unit < 300; ++unit) {
    const bool second = unit >= 100, right = second ? unit < 280 : unit < 50;
    sample.add(unit, 0, right ? weights[second] : 0, right ? 0 : weights[second]);
  }
  const double share = 0.1 * 0.5 + 0.9 * 0.9;
  const double variance = 0.01 * 0.25 / 99 + 0.81 * 0.09 / 199;
  expect_near(interval(Measure::kPrecision, sample, 0), wilson(share, share * (1 - share) / variance), 1e-3);
}

}  // namespace
}  // namespace neardup::evaluate
