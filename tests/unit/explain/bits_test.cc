#include "neardup/explain/bits.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "neardup/fingerprint/value.h"

namespace neardup::explain {
namespace {

// Features "p" (only in A) and "q" (only in B) against a common one, worked by hand: bits 0 and 1 differ.
TEST(ExplainBits, MoversShareThePushOfEachBit) {
  const auto fingerprint_of = [](std::vector<recipe::ExplainedFeature> features) {
    recipe::ExplainedFingerprint explained_fingerprint;
    for (const auto& feature : features)
      for (int bit = 0; bit < fingerprint::kNumBits; ++bit)
        explained_fingerprint.counters[static_cast<size_t>(bit)] += feature.weight * vote_of(feature.hash, bit);
    for (int bit = 0; bit < fingerprint::kNumBits; ++bit)
      if (explained_fingerprint.counters[static_cast<size_t>(bit)] > 0)
        explained_fingerprint.fingerprint |= uint64_t{1} << bit;
    explained_fingerprint.features = std::move(features);
    return explained_fingerprint;
  };
  const recipe::ExplainedFeature common{0b0001, 1, 1, 0, "c"}, p{0b0010, 3, 1, 2, "p"}, q{0b0101, 1, 1, 2, "q"};
  const auto a = fingerprint_of({p, common}), b = fingerprint_of({common, q});
  EXPECT_EQ(a.fingerprint, 0b10U);
  EXPECT_EQ(b.fingerprint, 0b01U);
  // Bit 0 turns from 0 to 1: without p it gains 3, with q 1. Bit 1 turns from 1 to 0: without p it loses 3, with q 1.
  const std::vector<Mover> movers = find_movers(a, b);
  ASSERT_EQ(movers.size(), 2U);
  EXPECT_EQ(movers[0].feature.text, "p");
  EXPECT_DOUBLE_EQ(movers[0].bits, 1.5);
  EXPECT_DOUBLE_EQ(movers[1].bits, 0.5);
  EXPECT_TRUE(find_movers(a, a).empty());
  const BitVotes votes = explain_bit(a, 1, 1);
  EXPECT_EQ(votes.pro, 3);
  EXPECT_EQ(votes.contra, 1);
  ASSERT_EQ(votes.top_pro.size(), 1U);
  EXPECT_DOUBLE_EQ(votes.top_pro[0].share, 0.75);
}

}  // namespace
}  // namespace neardup::explain
