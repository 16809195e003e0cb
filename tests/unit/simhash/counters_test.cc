#include "neardup/simhash/counters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace neardup::simhash {
namespace {

TEST(SpeltCounters, FirstWorkedExample) {
  // Charikar's rounding with f = 3: h(w1) = (1,-1,1), h(w2) = (-1,1,1), h(w3) = (1,-1,-1), h(w4) = (-1,-1,1),
  // h(w5) = (1,1,-1) and the document (1,2,0,3,0).
  const std::vector<SpeltFeature> features = {{"101", 1}, {"011", 2}, {"100", 0}, {"001", 3}, {"110", 0}};
  const std::vector<double> counters = simhash_counters(features, 3);
  EXPECT_EQ(counters, (std::vector<double>{-4, -2, 6}));
  EXPECT_EQ(simhash_bits(counters), "001");
}

TEST(SpeltCounters, SecondWorkedExample) {
  const std::vector<SpeltFeature> features = {{"100101", 4}, {"101011", 5}};
  EXPECT_EQ(simhash_counters(std::span(features).first(1), 6), (std::vector<double>{4, -4, -4, 4, -4, 4}));
  EXPECT_EQ(simhash_counters(std::span(features).last(1), 6), (std::vector<double>{5, -5, 5, -5, 5, 5}));
  const std::vector<double> counters = simhash_counters(features, 6);
  EXPECT_EQ(counters, (std::vector<double>{9, -9, 1, -1, 1, 9}));
  EXPECT_EQ(simhash_bits(counters), "101011");
}

TEST(SpeltCounters, ZeroIsNotAboveZero) {
  const std::vector<SpeltFeature> features = {{"10", 1}, {"01", 1}};
  EXPECT_EQ(simhash_bits(simhash_counters(features, 2)), "00");
  EXPECT_EQ(simhash_bits(simhash_counters({}, 4)), "0000");
}

std::vector<uint32_t> units_of(const std::vector<float>& weights) {
  std::vector<uint32_t> units(weights.size());
  to_fixed_point(weights, units.data());
  return units;
}

TEST(FixedPoint, GreatestWeightTakesTwentyBits) {
  EXPECT_EQ(units_of({1.0F}), (std::vector<uint32_t>{1U << 19}));
  EXPECT_EQ(units_of({3.0F, 1.5F}), (std::vector<uint32_t>{3U << 18, 3U << 17}));
  EXPECT_EQ(units_of({}), std::vector<uint32_t>{});
  for (const float greatest : {1e-30F, 0.1F, 0.9999999F, 7.77F, 1e30F, std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::denorm_min()}) {
    const uint32_t units = units_of({greatest})[0];
    EXPECT_GE(units, kMaxUnits / 2) << greatest;
    EXPECT_LT(units, kMaxUnits) << greatest;
  }
}

TEST(FixedPoint, UnitValueGivesTheWeightBack) {
  const std::vector<float> weights = {1.25F, 17.5F, 3.14159F, 0.001F};
  std::vector<uint32_t> units(weights.size());
  const double unit_value = to_fixed_point(weights, units.data());
  for (size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(units[i] * unit_value, weights[i], unit_value / 2) << i;
}

TEST(FixedPoint, PowersOfTwoChangeNothing) {
  const std::vector<float> weights = {1.7F, 2.3F, 9.1F};
  std::vector<float> scaled = weights;
  for (float& weight : scaled) weight *= 1024;
  EXPECT_EQ(units_of(weights), units_of(scaled));
}

TEST(FixedPoint, OddWeightsAreTamed) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(units_of({nan, -1, 0}), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(units_of({nan, 2, -5}), (std::vector<uint32_t>{0, 1U << 19, 0}));
  EXPECT_EQ(units_of({infinity, 1}), (std::vector<uint32_t>{kMaxUnits - 1, 0}));
}

TEST(Reference, CountsPerBit) {
  const std::vector<uint64_t> hashes = {0b101, 0b110};
  const std::vector<uint32_t> units = {4, 5};
  const auto counters = reference_counters(hashes, units);
  EXPECT_EQ(counters[0], -1);
  EXPECT_EQ(counters[1], 1);
  EXPECT_EQ(counters[2], 9);
  EXPECT_EQ(counters[63], -9);
  EXPECT_EQ(simhash_reference(hashes, units), 0b110U);
  EXPECT_EQ(simhash_reference({}, {}), 0U);
}

}  // namespace
}  // namespace neardup::simhash
