#include "neardup/join/bands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace neardup::join {
namespace {

TEST(Bands, TakeTheValuesInTheirOrder) {
  const auto bands = make_bands(8, 4, 2);
  ASSERT_TRUE(bands);
  EXPECT_EQ(*bands, (std::vector<Band>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(Bands, MoreBandsTakeTheValuesInAnotherOrder) {
  const auto bands = make_bands(128, 64, 4);
  ASSERT_TRUE(bands);
  const std::set<Band> distinct(bands->begin(), bands->end());
  EXPECT_EQ(distinct.size(), 64U);
  std::vector<int> uses(128, 0);
  for (const Band& band : *bands) {
    EXPECT_EQ(band.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(band));
    for (const uint16_t value : band) ++uses[value];
  }
  EXPECT_TRUE(std::ranges::all_of(uses, [](int n) { return n == 2; }));
  EXPECT_EQ(*make_bands(128, 64, 4), *bands);
}

TEST(Bands, SayWhatCannotBe) {
  for (const auto& [values, bands, rows] :
       {std::tuple(128, 0, 4), {128, 32, 0}, {128, 32, 129}, {0, 1, 1}, {5000, 1, 1}}) {
    const auto made = make_bands(values, bands, rows);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Code::kInvalidArgument);
  }
}

// Signatures whose values agree with probability J, each by itself.
TEST(Bands, ProbabilityAndBoundAgreeWithDraws) {
  std::mt19937_64 random(1);
  constexpr int kDraws = 20000;
  for (const double jaccard : {0.3, 0.5, 0.8}) {
    const int bound = equal_values_bound(128, jaccard, 0.01);
    int met = 0, below = 0;
    for (int i = 0; i < kDraws; ++i) {
      int equal = 0;
      bool any = false;
      for (int band = 0; band < 32; ++band) {
        int agreed = 0;
        for (int row = 0; row < 4; ++row) agreed += std::uniform_real_distribution<>()(random) < jaccard;
        equal += agreed;
        any |= agreed == 4;
      }
      met += any;
      below += equal < bound;
    }
    EXPECT_NEAR(met / double{kDraws}, meeting_probability(jaccard, 32, 4), 0.015);
    EXPECT_LE(below / double{kDraws}, 0.0135);  // five standard errors above the 1 % that the bound allows
    EXPECT_GT(below, 0);
  }
  EXPECT_EQ(equal_values_bound(128, 1, 0.01), 128);
  EXPECT_EQ(equal_values_bound(128, 0, 0.01), 0);
}

TEST(Bands, TheBoundIsThatOfTheBinomialAndWritesToNoGlobal) {
  signgam = 7;  // what lgamma() writes to
  std::vector<int> bounds;
  for (const int values : {64, 128, 256, 1024})
    for (int percent = 1; percent < 100; ++percent) bounds.push_back(equal_values_bound(values, percent / 100.0, 1e-4));
  EXPECT_EQ(signgam, 7);
  std::vector<int> expected;
  for (const int n : {64, 128, 256, 1024}) {
    for (int percent = 1; percent < 100; ++percent) {
      const double p = percent / 100.0;
      double below = 0;
      int k = -1;
      while (below <= 1e-4) {
        ++k;
        below += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) + k * std::log(p) +
                          (n - k) * std::log1p(-p));
      }
      expected.push_back(k);
    }
  }
  EXPECT_EQ(bounds, expected);
}

TEST(Bands, MasksHoldTheirValues) {
  const ValueMask mask(Band{0, 63, 64, 130});
  uint64_t equal[3] = {1ULL | 1ULL << 63, 1, 4};
  EXPECT_TRUE(mask.within(equal));
  equal[2] = 8;
  EXPECT_FALSE(mask.within(equal));
}

}  // namespace
}  // namespace neardup::join
