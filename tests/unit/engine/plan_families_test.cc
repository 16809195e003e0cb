// The numbers of the two families that `neardup plan` shows.
#include "neardup/engine/plan_families.h"

#include <gtest/gtest.h>

#include <cmath>

namespace neardup::engine {
namespace {

FamilyCost cost_of(const std::string& name, const FamilyRequest& request) {
  for (const FamilyCost& cost : compare_families(request)) {
    if (cost.name == name) return cost;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(PlanFamilies, SpaceIsThatOfTheRecords) {
  const FamilyRequest request{.num_documents = 1'000'000};
  EXPECT_EQ(cost_of("simhash", request).bytes_each, 8);
  EXPECT_EQ(cost_of("minhash", request).bytes_each, 256);
}

TEST(PlanFamilies, MinHashFollowsItsCurve) {
  const FamilyCost cost = cost_of("minhash", {.num_documents = 1000, .minhash = {.bands = 32, .rows = 4}});
  EXPECT_NEAR(cost.found[2], 1 - std::pow(1 - std::pow(0.5, 4), 32), 1e-9);  // .5
  EXPECT_NEAR(cost.found[6], 1, 1e-9);                                       // .9
  EXPECT_NEAR(cost.chance_pairs, 0, 1e-12);
}

// 64 bits, distance 3, 2^34 fingerprints: 2^34 * (1 + 64 + 2016 + 41664) / 2^64.
TEST(PlanFamilies, ChanceOfSimHashIsThatOfRandomBits) {
  const FamilyCost cost = cost_of("simhash", {.num_documents = uint64_t{1} << 34});
  EXPECT_NEAR(cost.chance_pairs, 43745.0 / (1 << 30), 1e-9);
}

TEST(PlanFamilies, LargerDistancesFindMoreAndMeetMoreByChance) {
  FamilyCost before = cost_of("simhash", {.num_documents = 100'000'000, .max_distance = 0});
  for (int distance = 1; distance <= 16; ++distance) {
    const FamilyCost cost = cost_of("simhash", {.num_documents = 100'000'000, .max_distance = distance});
    EXPECT_GT(cost.chance_pairs, before.chance_pairs);
    EXPECT_GE(cost.join_seconds, before.join_seconds);
    for (size_t i = 0; i < cost.found.size(); ++i) EXPECT_GT(cost.found[i], before.found[i]);
    before = cost;
  }
}

TEST(PlanFamilies, TimesAreThoseOfTheMachine) {
  const FamilyRequest here{.num_documents = 100'000'000};
  FamilyRequest there = here;
  there.machine.compute_ns *= 2;
  there.machine.sort_ns *= 3;
  EXPECT_DOUBLE_EQ(cost_of("simhash", there).join_seconds, 2 * cost_of("simhash", here).join_seconds);
  EXPECT_DOUBLE_EQ(cost_of("minhash", there).join_seconds, 3 * cost_of("minhash", here).join_seconds);
}

TEST(PlanFamilies, FewerRowsFindMore) {
  const FamilyCost four = cost_of("minhash", {.num_documents = 1000, .minhash = {.bands = 32, .rows = 4}});
  const FamilyCost two = cost_of("minhash", {.num_documents = 1000, .minhash = {.bands = 32, .rows = 2}});
  for (size_t i = 0; i < four.found.size(); ++i) EXPECT_GE(two.found[i], four.found[i]);
  EXPECT_GT(two.found[0], four.found[0]);
}

}  // namespace
}  // namespace neardup::engine
