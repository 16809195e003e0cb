#include "neardup/verify/shingles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace neardup::verify::shingles_test {
namespace {

struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine()); }
  std::mt19937 engine;
};

using Tokens = std::vector<uint32_t>;

TEST(Shingles, OneForEachDistinctNgramAscending) {
  const Tokens tokens = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  const ShingleSet set = make_shingle_set(tokens, 3);
  EXPECT_EQ(set.hashes.size(), 3U);  // 123, 231, 312
  EXPECT_TRUE(std::is_sorted(set.hashes.begin(), set.hashes.end()));
  EXPECT_EQ(set.distinct_bigrams, 3U);
}

TEST(Shingles, ShortTextsHaveOneThatDependsOnTheLength) {
  EXPECT_TRUE(make_shingle_set({}, 3).hashes.empty());
  std::set<uint32_t> seen;
  const Tokens zeros(8, 0);
  for (size_t size = 1; size <= 5; ++size) {
    const ShingleSet set = make_shingle_set(std::span(zeros).first(size), 5);
    ASSERT_EQ(set.hashes.size(), 1U);
    seen.insert(set.hashes[0]);
  }
  EXPECT_EQ(seen.size(), 5U);
}

// Both ways of sorting, with few and with many repetitions.
TEST(Shingles, AscendingAndDistinctForAllSizes) {
  Random random(11);
  for (const size_t size : {6, 7, 8, 9, 63, 64, 65, 300, 2047, 4095, 4097, 4098, 4099, 4100, 20'000}) {
    for (const uint32_t alphabet : {1U, 2U, 12U, 100'000U}) {
      Tokens tokens(size);
      for (uint32_t& token : tokens) token = random() % alphabet;
      std::set<std::vector<uint32_t>> ngrams;
      for (size_t i = 0; i + 3 <= size; ++i) ngrams.insert({tokens[i], tokens[i + 1], tokens[i + 2]});
      const std::vector<uint32_t> hashes = make_shingle_set(tokens, 3).hashes;
      ASSERT_TRUE(std::ranges::is_sorted(hashes));
      ASSERT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
      ASSERT_EQ(hashes.size(), ngrams.size()) << size << " " << alphabet;
    }
  }
}

TEST(Shingles, OrderOfTokensMatters) {
  EXPECT_NE(make_shingle_set(Tokens{1, 2, 3}, 3).hashes, make_shingle_set(Tokens{3, 2, 1}, 3).hashes);
  EXPECT_NE(make_shingle_set(Tokens{1, 2, 3}, 3).hashes, make_shingle_set(Tokens{2, 1, 3}, 3).hashes);
  EXPECT_NE(make_shingle_set(Tokens{1, 2}, 3).hashes, make_shingle_set(Tokens{2, 1}, 3).hashes);
}

// Small consecutive numbers are the hardest input of a mixer: collisions must stay at the level of chance.
TEST(Shingles, HashesOfAPoorAlphabetDoNotCollide) {
  for (const int n : {3, 5}) {
    const uint32_t alphabet = n == 3 ? 60 : 12;
    std::set<uint32_t> seen;
    std::set<Tokens> ngrams;
    Random random(7);
    for (int i = 0; i < 80'000; ++i) {
      Tokens tokens(static_cast<size_t>(n));
      for (uint32_t& token : tokens) token = random() % alphabet;
      if (!ngrams.insert(tokens).second) continue;
      seen.insert(make_shingle_set(tokens, n).hashes.at(0));
    }
    const double count = static_cast<double>(ngrams.size());
    const double expected_collisions = count * count / 2 / 4294967296.0;
    EXPECT_LT(count - static_cast<double>(seen.size()), 3 * expected_collisions + 8);
  }
}

TEST(Shingles, CountsDistinctBigramsUpToTheLimit) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    Tokens tokens(random() % 200);
    for (uint32_t& token : tokens) token = random() % (1 + random() % 20);
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) pairs.insert({tokens[i], tokens[i + 1]});
    const size_t expected = tokens.size() == 1 ? 1 : std::min<size_t>(pairs.size(), 100);
    ASSERT_EQ(count_distinct_bigrams(tokens, 100), expected);
  }
}

}  // namespace
}  // namespace neardup::verify::shingles_test
