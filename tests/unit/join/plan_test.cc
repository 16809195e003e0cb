#include "neardup/join/plan.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "neardup/fingerprint/value.h"
#include "neardup/join/bit_block.h"

namespace neardup::join {
namespace {

void expect_complete(const JoinPlan& plan, const PlanQuery& query) {
  uint64_t used = 0;
  int units = 0;
  for (const JoinBlock& block : plan.blocks) {
    EXPECT_EQ(block.mask & used, 0U) << "blocks share a bit";
    EXPECT_EQ(block.mask & ~query.free_bits, 0U) << "a block takes a bit that is not free";
    EXPECT_GE(block.threshold, 0);
    used |= block.mask;
    units += block.threshold + 1;
  }
  EXPECT_EQ(units, query.max_distance + 1) << "the pigeonhole argument needs sum(threshold + 1) = k + 1";
}

TEST(JoinPlan, IsCompleteWhateverIsAsked) {
  for (const uint64_t size : {0, 1, 2, 100, 3000, 100'000, 10'000'000, 1'000'000'000}) {
    for (int k = 0; k <= fingerprint::kMaxDistance; ++k) {
      for (const uint64_t free_bits :
           {~uint64_t{0}, uint64_t{0x0000ffffffffffff}, uint64_t{0xff00ff00ff}, uint64_t{0}}) {
        for (const bool self : {false, true}) {
          const PlanQuery query{size, self ? size : size / 2, self, free_bits, k};
          expect_complete(choose_plan(query), query);
        }
      }
    }
  }
}

TEST(JoinPlan, ScansSmallSetsAndCutsLargeOnes) {
  EXPECT_TRUE(choose_plan({50, 50, true, ~uint64_t{0}, 3}).is_scan());
  EXPECT_FALSE(choose_plan({10'000'000, 10'000'000, true, ~uint64_t{0}, 12}).is_scan());
}

TEST(JoinPlan, FirstBlockTakesTheHighestBits) {
  const JoinPlan plan = choose_plan({100'000'000, 100'000'000, true, ~uint64_t{0}, 3});
  EXPECT_EQ(plan.blocks[0].mask, highest_bits(~uint64_t{0}, std::popcount(plan.blocks[0].mask)));
}

TEST(MasksWithin, AreAllOfThemOnceByOnes) {
  for (int bits = 0; bits <= 10; ++bits) {
    for (int ones = 0; ones <= bits + 1; ++ones) {
      const auto masks = masks_within(bits, ones);
      const std::set<uint32_t> different(masks.begin(), masks.end());
      EXPECT_EQ(different.size(), masks.size());
      size_t expected = 0;
      for (uint32_t value = 0; value < (1U << bits); ++value) expected += std::popcount(value) <= ones;
      EXPECT_EQ(masks.size(), expected) << bits << " bits, " << ones << " ones";
      for (size_t i = 1; i < masks.size(); ++i) EXPECT_LE(std::popcount(masks[i - 1]), std::popcount(masks[i]));
    }
  }
}

TEST(BitBlock, PacksItsBitsInOrder) {
  EXPECT_EQ(BitBlock(0).bucket_of(~uint64_t{0}), 0U);
  EXPECT_EQ(BitBlock(0xff00).bucket_of(0x1234), 0x12U);
  EXPECT_EQ(BitBlock(0xf00000000000000f).bucket_of(0xa000000000000005), 0xa5U);
  EXPECT_EQ(BitBlock(0x5555).bucket_of(0x5555), 0xffU);
  EXPECT_EQ(BitBlock(0x8000000000000001).bucket_of(0x8000000000000000), 2U);
  EXPECT_EQ(BitBlock(0xff00).num_buckets(), 256U);
}

TEST(HighestBits, AreTheHighest) {
  EXPECT_EQ(highest_bits(~uint64_t{0}, 0), 0U);
  EXPECT_EQ(highest_bits(~uint64_t{0}, 4), 0xf000000000000000);
  EXPECT_EQ(highest_bits(0b10110, 2), 0b10100U);
  EXPECT_EQ(highest_bits(0b10110, 3), 0b10110U);
}

}  // namespace
}  // namespace neardup::join
