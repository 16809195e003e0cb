// Weights in fixed point against the definition in counters.h, on every instruction set of the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "neardup/simhash/counters.h"
#include "tests/agree/each_target.h"

namespace neardup::simhash {
namespace {

double clean(float weight) {
  return weight > 0 ? std::min(static_cast<double>(weight), double{std::numeric_limits<float>::max()}) : 0.0;
}

void expect_definition(const std::vector<float>& weights) {
  double greatest = 0;
  for (const float weight : weights) greatest = std::max(greatest, clean(weight));
  double unit = 1;
  if (greatest > 0) unit = std::exp2(std::floor(std::log2(greatest)) - 19);
  std::vector<uint32_t> units(weights.size());
  const double unit_value = to_fixed_point(weights, units.data());
  if (greatest > 0) {
    ASSERT_EQ(unit_value, unit);
  }
  for (size_t i = 0; i < weights.size(); ++i) {
    const auto rounded = static_cast<uint32_t>(std::floor(clean(weights[i]) / unit + 0.5));
    ASSERT_EQ(units[i], std::min(rounded, kMaxUnits - 1)) << weights[i] << " of " << greatest;
  }
}

void check_all() {
  std::mt19937 random(3);
  for (size_t size = 0; size < 70; ++size) {
    std::vector<float> any_bits(size), usual(size);
    for (float& weight : any_bits) weight = std::bit_cast<float>(static_cast<uint32_t>(random()));
    for (float& weight : usual) weight = static_cast<float>(random() % 100000) / 8191.0F;
    expect_definition(any_bits);
    expect_definition(usual);
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_definition({nan, -nan, -infinity, -0.0F, 0.0F, 0.3F, 2.9999998F, 1.5F});
  expect_definition({infinity, 1.0F, std::numeric_limits<float>::max()});
  expect_definition({tiny, 3 * tiny, 1000 * tiny});
  expect_definition({nan, -1.0F, 0.0F});
}

TEST(FixedPoint, EveryTargetAgreesWithTheDefinition) { on_each_target(check_all); }

}  // namespace
}  // namespace neardup::simhash
