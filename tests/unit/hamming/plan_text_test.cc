#include "neardup/hamming/plan_text.h"

#include <gtest/gtest.h>

namespace neardup::hamming {
namespace {

TEST(ParsePlan, ReadsEveryForm) {
  EXPECT_EQ(*parse_plan("permuted:4,1", 64, 3), permuted_plan(64, 4, 1));
  EXPECT_EQ(*parse_plan("permuted:6,3", 128, 3), permuted_plan(128, 6, 3));
  EXPECT_EQ(*parse_plan("two_level:4,4", 64, 3), two_level_plan(64, 4, 4));
  const std::vector<Block> blocks = {{26, 1}, {24, 0}, {14, 0}};
  EXPECT_EQ(*parse_plan("flips:26/1,24/0,14", 64, 3), flip_plan(64, 3, blocks));
  EXPECT_EQ(*parse_plan("scan", 64, 16), scan_plan(64, 16));
}

TEST(ParsePlan, GivesBackWhatANameSays) {
  const std::vector<Block> blocks = {{26, 1}, {24, 0}, {14, 0}};
  for (const Plan& plan :
       {permuted_plan(64, 5, 2), two_level_plan(128, 3, 5), flip_plan(64, 3, blocks), scan_plan(64, 7)}) {
    EXPECT_EQ(*parse_plan(plan.name, plan.num_bits, plan.max_distance), plan);
  }
}

TEST(ParsePlan, ServesSmallerDistancesToo) {
  const auto plan = parse_plan("permuted:5,1", 64, 2);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->max_distance, 2);
}

TEST(ParsePlan, RefusesWhatIsNotComplete) {
  const auto plan = parse_plan("permuted:4,1", 64, 4);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("within distance 4"), std::string::npos) << plan.error().message;
  EXPECT_FALSE(parse_plan("flips:26/1,26/0", 64, 3));
}

TEST(ParsePlan, RefusesOtherText) {
  for (const char* text : {"",
                           "scan:",
                           "Scan",
                           "permuted",
                           "permuted:",
                           "permuted:4",
                           "permuted:4,0",
                           "permuted:4,5",
                           "permuted:65,1",
                           "permuted:16,8",
                           "permuted:4,1,1",
                           "permuted:4,1 ",
                           "permuted:+4,1",
                           "permuted:-4,1",
                           "two_level:9,9",
                           "two_level:1,4",
                           "two_level:4",
                           "flips:",
                           "flips:26/1,",
                           "flips:26/1,26/1,26/1",
                           "flips:3/4",
                           "flips:26/1/1",
                           "flips:99999999999/1",
                           "flips:26\\1",
                           "tables:4"}) {
    const auto plan = parse_plan(text, 64, 3);
    ASSERT_FALSE(plan) << text;
    EXPECT_NE(plan.error().message.find("expected"), std::string::npos) << plan.error().message;
  }
}

}  // namespace
}  // namespace neardup::hamming
