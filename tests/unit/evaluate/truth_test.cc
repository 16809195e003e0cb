#include "neardup/evaluate/truth.h"

#include <gtest/gtest.h>

namespace neardup::evaluate {
namespace {

constexpr uint32_t kGroups[] = {0, 1, 2, 3};

TEST(Truth, PairsThatContradictEachOtherAreNamedByTheirLines) {
  const auto truth = Truth::from_pairs({{0, 1, true, 3}, {1, 2, true, 4}, {1, 0, false, 9}}, true, kGroups, 4);
  ASSERT_FALSE(truth);
  EXPECT_EQ(truth.error().code, Code::kInvalidArgument);
  EXPECT_NE(truth.error().message.find("lines 3 and 9"), std::string::npos) << truth.error().message;
}

TEST(Truth, ConnectsPairsToClusters) {
  const auto truth = Truth::from_pairs({{0, 1, true, 1}, {2, 1, true, 2}, {1, 2, true, 3}}, false, kGroups, 4);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->num_same(), 2U);  // the same pair twice is one
  EXPECT_EQ(truth->num_labelled(), 3U);
  EXPECT_EQ(truth->labels()[0], truth->labels()[2]);
  EXPECT_EQ(truth->labels()[3], kNoLabel);
  EXPECT_EQ(truth->between(0, 2), (PairCount{0, 1}));  // connected, but not listed
}

TEST(Truth, JudgementsSayNothingOfOtherPairs) {
  const auto truth = Truth::from_pairs({{0, 1, true, 1}, {2, 3, false, 2}}, true, kGroups, 4);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->num_different(), 1U);
  EXPECT_EQ(truth->between(2, 3), (PairCount{0, 1}));
  EXPECT_EQ(truth->between(0, 3), PairCount{});
}

}  // namespace
}  // namespace neardup::evaluate
