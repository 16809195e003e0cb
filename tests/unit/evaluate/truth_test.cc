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

TEST(Truth, AnotherLabelOfTheSamePairContradictsToo) {
  const LabelledPair twice{.a = 1, .b = 0, .same = true, .line = 3, .grade = 2};
  EXPECT_TRUE(Truth::from_pairs({twice, {.a = 0, .b = 1, .same = true, .line = 4, .grade = 2}}, true, kGroups, 4));
  const auto truth =
      Truth::from_pairs({twice, {.a = 0, .b = 1, .same = true, .line = 4, .grade = 3}}, true, kGroups, 4);
  ASSERT_FALSE(truth);
  EXPECT_NE(truth.error().message.find("lines 3 and 4 contradict each other: they give"), std::string::npos)
      << truth.error().message;
}

TEST(Truth, KeepsJudgementsWithTheirPlaces) {
  const auto truth = Truth::from_pairs({{.a = 3, .b = 1, .same = false, .line = 1, .stratum = 1, .weight = 2},
                                        {.a = 0, .b = 1, .same = true, .line = 2, .grade = 3}},
                                       true, kGroups, 4);
  ASSERT_TRUE(truth);
  ASSERT_EQ(truth->judged().size(), 2U);
  EXPECT_EQ(truth->judged()[0].place, truth->place(1, 0));
  EXPECT_EQ(truth->judged()[0].grade, 3);
  EXPECT_EQ(truth->judged()[1].place, truth->place(1, 3));
  EXPECT_EQ(truth->judged()[1].weight, 2);
  EXPECT_EQ(truth->place(0, 3), Truth::kNoPlace);
  EXPECT_EQ(truth->num_places(), 2U);
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
