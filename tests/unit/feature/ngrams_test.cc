#include "neardup/feature/ngrams.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <bit>
#include <random>
#include <set>
#include <vector>

namespace neardup::feature {
namespace {

std::vector<uint64_t> ngrams(const std::vector<uint64_t>& tokens, int n, uint64_t seed = 0) {
  std::vector<uint64_t> out(num_ngrams(tokens.size(), n));
  ngram_hashes(tokens, n, seed, out.data());
  return out;
}

std::vector<uint64_t> random_tokens(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> tokens(count);
  for (uint64_t& token : tokens) token = random();
  return tokens;
}

TEST(Ngrams, NumberOfThem) {
  EXPECT_EQ(num_ngrams(0, 3), 0U);
  EXPECT_EQ(num_ngrams(1, 3), 1U);
  EXPECT_EQ(num_ngrams(3, 3), 1U);
  EXPECT_EQ(num_ngrams(4, 3), 2U);
  EXPECT_EQ(num_ngrams(10, 1), 10U);
}

class NgramTargets : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

INSTANTIATE_TEST_SUITE_P(Targets, NgramTargets, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

TEST_P(NgramTargets, EachIsTheHashOfItsWindow) {
  for (int n = 1; n <= 16; ++n) {
    for (size_t count = 0; count < 40; ++count) {
      const std::vector<uint64_t> tokens = random_tokens(count, count);
      const std::vector<uint64_t> hashes = ngrams(tokens, n, 99);
      const size_t length = std::min(count, static_cast<size_t>(n));
      for (size_t i = 0; i < hashes.size(); ++i) {
        ASSERT_EQ(hashes[i], ngram_hash(std::span(tokens).subspan(i, length), 99)) << n << ' ' << count << ' ' << i;
      }
    }
  }
}

TEST(Ngrams, ShortTextIsOneFeature) {
  const std::vector<uint64_t> tokens = random_tokens(2, 1);
  EXPECT_EQ(ngrams(tokens, 5), ngrams(tokens, 2));
  EXPECT_EQ(ngrams(tokens, 2).size(), 1U);
}

TEST(Ngrams, OrderLengthAndSeedMatter) {
  std::set<uint64_t> seen;
  const std::vector<uint64_t> t = random_tokens(2, 7);
  const std::vector<std::vector<uint64_t>> sequences = {{t[0]}, {t[1]}, {t[0], t[1]}, {t[1], t[0]}, {t[0], t[0]},
                                                        {0},    {0, 0}, {0, 0, 0},    {t[0], 0},    {0, t[0]}};
  for (const auto& sequence : sequences) {
    for (const uint64_t seed : {0, 1, 2}) EXPECT_TRUE(seen.insert(ngram_hash(sequence, seed)).second);
  }
}

TEST(Ngrams, EverySequenceOfASmallVocabularyDiffers) {
  const std::vector<uint64_t> words = random_tokens(6, 3);
  std::set<uint64_t> seen;
  std::vector<uint64_t> sequence;
  for (int code = 0; code < 6 * 6 * 6 * 6; ++code) {
    sequence.clear();
    for (int rest = code, i = 0; i < 4; ++i, rest /= 6) sequence.push_back(words[static_cast<size_t>(rest % 6)]);
    for (size_t length = 1; length <= 4; ++length) seen.insert(ngram_hash(std::span(sequence).first(length), 0));
  }
  EXPECT_EQ(seen.size(), 6U + 36 + 216 + 1296);
}

TEST(Ngrams, EveryBitIsFair) {
  // Even where token hashes are poor (small numbers), each bit of the n-gram hash is 1 half of the time.
  std::vector<uint64_t> tokens(20001);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = i;
  for (const int n : {1, 2, 3, 5}) {
    std::vector<int> ones(64);
    const std::vector<uint64_t> hashes = ngrams(tokens, n);
    for (const uint64_t hash : hashes) {
      for (size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>(hash >> bit & 1);
    }
    for (size_t bit = 0; bit < 64; ++bit) EXPECT_NEAR(ones[bit], 10000, 400) << n << ' ' << bit;
  }
}

// Fingerprints on disk rest on these: a change needs a new recipe version.
TEST(Ngrams, ValuesArePinned) {
  EXPECT_EQ(ngram_hash(std::vector<uint64_t>{1}, 0), 0xea8568d2e45fd6cbULL);
  EXPECT_EQ(ngram_hash(std::vector<uint64_t>{1, 2}, 0), 0x1c5ed77683f76b3ULL);
  EXPECT_EQ(ngram_hash(std::vector<uint64_t>{1, 2, 3}, 42), 0x896afc4a8a78884eULL);
}

}  // namespace
}  // namespace neardup::feature
