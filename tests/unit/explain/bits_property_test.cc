// Votes and movers of made-up features, against sums over all of them bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "neardup/explain/bits.h"
#include "neardup/explain/explain.h"

namespace neardup::explain {
namespace {

using recipe::ExplainedFeature;
using recipe::ExplainedFingerprint;

// Features with hashes from a pool of 40, so that two texts share some; heaviest first, as the noun says.
ExplainedFingerprint made_up(std::mt19937_64& random) {
  ExplainedFingerprint made;
  std::map<uint64_t, ExplainedFeature> features;
  const size_t count = random() % 30;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t hash = (random() % 40) * 0x9e3779b97f4a7c15;
    const double weight = static_cast<double>(1 + random() % 64) / 8;
    features[hash] = {hash, weight, static_cast<uint32_t>(1 + random() % 5), random() % 1000, std::to_string(hash)};
  }
  for (const auto& [hash, feature] : features) made.features.push_back(feature);
  std::ranges::stable_sort(made.features, std::ranges::greater(), &ExplainedFeature::weight);
  for (int bit = 0; bit < fingerprint::kNumBits; ++bit) {
    double& counter = made.counters[static_cast<size_t>(bit)];
    for (const ExplainedFeature& feature : made.features) counter += feature.weight * vote_of(feature.hash, bit);
    if (counter > 0) made.fingerprint |= uint64_t{1} << bit;
  }
  return made;
}

double sum_of(const std::vector<Mover>& movers) {
  double sum = 0;
  for (const Mover& mover : movers) sum += mover.bits;
  return sum;
}

TEST(ExplainBitsOfAny, AVoteIsPlusOneExactlyWhereTheBitIsSet) {
  for (int bit = 0; bit < 64; ++bit) {
    for (int of = 0; of < 64; ++of) EXPECT_EQ(vote_of(uint64_t{1} << of, bit), of == bit ? 1 : -1);
  }
}

TEST(ExplainBitsOfAny, ProAndContraMakeTheCounter) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    const ExplainedFingerprint made = made_up(random);
    for (int bit = 0; bit < 64; ++bit) {
      const BitVotes votes = explain_bit(made, bit, made.features.size());
      EXPECT_NEAR(votes.pro - votes.contra, made.counters[static_cast<size_t>(bit)], 1e-9);
      EXPECT_EQ(votes.pro > votes.contra, (made.fingerprint >> bit & 1) != 0);
      EXPECT_EQ(votes.top_pro.size() + votes.top_contra.size(), made.features.size());
      double shares = 0;
      for (const auto* side : {&votes.top_pro, &votes.top_contra})
        for (const BitShare& share : *side) shares += share.share;
      EXPECT_NEAR(shares, made.features.empty() ? 0 : 1, 1e-9);
    }
  }
}

TEST(ExplainBitsOfAny, OnlyTheHeaviestOfEachSideAreShown) {
  std::mt19937_64 random(2);
  for (const size_t top : {size_t{0}, size_t{1}, size_t{3}}) {
    const ExplainedFingerprint made = made_up(random);
    const BitVotes few = explain_bit(made, 5, top), all = explain_bit(made, 5, 1000);
    EXPECT_EQ(few.pro, all.pro);
    EXPECT_EQ(few.contra, all.contra);
    EXPECT_EQ(few.top_pro.size(), std::min(top, all.top_pro.size()));
    for (size_t i = 0; i < few.top_pro.size(); ++i) EXPECT_EQ(few.top_pro[i].feature, all.top_pro[i].feature);
    EXPECT_TRUE(std::ranges::is_sorted(all.top_contra, std::ranges::greater(), &BitShare::share));
  }
}

TEST(ExplainBitsOfAny, MoversAddUpToTheDistance) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    const ExplainedFingerprint a = made_up(random), b = made_up(random);
    const std::vector<Mover> movers = find_movers(a, b);
    EXPECT_NEAR(sum_of(movers), std::popcount(a.fingerprint ^ b.fingerprint), 1e-9);
    EXPECT_TRUE(std::ranges::is_sorted(movers, std::ranges::greater(), &Mover::bits));
    for (const Mover& mover : movers) {
      EXPECT_GT(mover.bits, 0);
      EXPECT_NE(mover.feature.weights[0], mover.feature.weights[1]) << "what is the same in both moves nothing";
    }
  }
}

TEST(ExplainBitsOfAny, MoversOfEachBitAddUpToThoseOfAll) {
  std::mt19937_64 random(4);
  const ExplainedFingerprint a = made_up(random), b = made_up(random);
  std::map<uint64_t, double> sums;
  for (const int bit : differing_bits(a.fingerprint, b.fingerprint)) {
    const std::vector<Mover> movers = find_movers_of_bit(a, b, bit);
    EXPECT_NEAR(sum_of(movers), 1, 1e-9) << bit;
    for (const Mover& mover : movers) {
      sums[mover.feature.hash] += mover.bits;
      const double push = (mover.feature.weights[1] - mover.feature.weights[0]) * vote_of(mover.feature.hash, bit);
      EXPECT_EQ(push > 0, (b.fingerprint >> bit & 1) != 0) << "a mover pushes towards B's value";
    }
  }
  for (const Mover& mover : find_movers(a, b)) EXPECT_NEAR(sums[mover.feature.hash], mover.bits, 1e-9);
}

TEST(ExplainBitsOfAny, EqualFingerprintsHaveNoMovers) {
  std::mt19937_64 random(5);
  const ExplainedFingerprint made = made_up(random);
  EXPECT_TRUE(find_movers(made, made).empty());
  EXPECT_TRUE(find_movers({}, {}).empty());
  EXPECT_TRUE(merge_features({}).empty());
}

TEST(ExplainBitsOfAny, MergedFeaturesAreEachOfEitherOnce) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 40; ++round) {
    const ExplainedFingerprint a = made_up(random), b = made_up(random);
    const std::vector<FeatureRow> rows = merge_features({&a, &b});
    std::set<uint64_t> hashes;
    for (const FeatureRow& row : rows) {
      EXPECT_TRUE(hashes.insert(row.hash).second);
      for (const auto& [side, made] : {std::pair<int, const ExplainedFingerprint*>{0, &a}, {1, &b}}) {
        const auto at = std::ranges::find(made->features, row.hash, &ExplainedFeature::hash);
        EXPECT_EQ(row.weights[side], at == made->features.end() ? 0 : at->weight);
        EXPECT_EQ(row.counts[side], at == made->features.end() ? 0 : at->count);
      }
      EXPECT_EQ(row.text, std::to_string(row.hash));
    }
    size_t shared = 0;
    for (const ExplainedFeature& feature : a.features)
      shared += static_cast<size_t>(std::ranges::count(b.features, feature.hash, &ExplainedFeature::hash));
    EXPECT_EQ(rows.size(), a.features.size() + b.features.size() - shared);
    EXPECT_TRUE(std::ranges::is_sorted(
        rows, [](double x, double y) { return x > y; },
        [](const FeatureRow& row) { return std::max(row.weights[0], row.weights[1]); }));
  }
}

TEST(DifferingBits, AreThoseOfTheXorAscending) {
  EXPECT_TRUE(differing_bits(7, 7).empty());
  EXPECT_EQ(differing_bits(0, 1), std::vector<int>{0});
  EXPECT_EQ(differing_bits(uint64_t{1} << 63, 0b101), (std::vector<int>{0, 2, 63}));
  EXPECT_EQ(differing_bits(0, ~uint64_t{0}).size(), 64U);
}

}  // namespace
}  // namespace neardup::explain
