#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::verify::content_test {
namespace {

using Tokens = std::vector<uint32_t>;
using Texts = std::vector<Tokens>;

constexpr Rule kContent{.kind = Rule::Kind::kContent};

uint32_t word(uint32_t value) { return value * 2; }
uint32_t number(uint32_t value) { return value * 2 + 1; }

TokenSource source_of(const Texts& texts) {
  return [&texts](uint32_t document, Tokens& tokens) -> Status {
    tokens = texts.at(document);
    return {};
  };
}

// A form of 80 words with an entry of 20 words of its own behind it.
Tokens form_with_entry(uint32_t entry) {
  Tokens tokens(100);
  for (uint32_t i = 0; i < 100; ++i) tokens[i] = word(i < 80 ? i : 1000 * (entry + 1) + i);
  return tokens;
}

TEST(Content, AFormOfManyTextsMakesNoDuplicates) {
  Texts texts;
  for (uint32_t i = 0; i < 10; ++i) texts.push_back(form_with_entry(i));
  Commonness of_two(10'000, 1 << 20), of_ten(10'000, 1 << 20);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i < 2) of_two.add(make_shingle_set(texts[i], 3).hashes);
    of_ten.add(make_shingle_set(texts[i], 3).hashes);
  }
  of_two.settle();
  of_ten.settle();
  Verifier alone({.kind = Rule::Kind::kContent, .common = &of_two}, source_of(texts), 1 << 20);
  Verifier among_ten({.kind = Rule::Kind::kContent, .common = &of_ten}, source_of(texts), 1 << 20);
  Verifier plain(kContent, source_of(texts), 1 << 20);
  EXPECT_TRUE(alone.compare(0, 1)->similar);
  EXPECT_EQ(*alone.compare(0, 1), *plain.compare(0, 1)) << "what no other text has weighs as if nothing were known";
  const Verdict refused = *among_ten.compare(0, 1);
  EXPECT_FALSE(refused.similar);
  EXPECT_TRUE(refused.exact);
  EXPECT_LT(refused.similarity, static_cast<float>(kContentThreshold));
  EXPECT_TRUE(among_ten.compare(3, 3)->similar) << "a copy stays a copy";
}

TEST(Content, OtherNumbersLowerTheSimilarity) {
  Texts texts(3, Tokens(50));
  std::iota(texts[0].begin(), texts[0].end(), 0U);
  for (uint32_t i = 0; i < 50; ++i) texts[0][i] = i % 10 == 9 ? number(i) : word(i);
  texts[1] = texts[2] = texts[0];
  for (uint32_t i = 9; i < 50; i += 10) texts[1][i] = number(100 + i), texts[2][i] = word(100 + i);
  Verifier verifier(kContent, source_of(texts), 0);
  const double share = 33.0 / (48 + 15);  // each of the five takes three n-grams, the last one only one: 48 - 13 common
  const double exact_share = (48.0 - 13) / (48 + 13);
  EXPECT_LT(share, exact_share);
  EXPECT_FLOAT_EQ(verifier.compare_exactly(0, 2)->similarity, static_cast<float>(exact_share)) << "no numbers in one";
  EXPECT_FLOAT_EQ(verifier.compare_exactly(0, 1)->similarity, static_cast<float>(exact_share * (1 - kNumbersWeight)));
  EXPECT_TRUE(verifier.compare(0, 2)->similar);
  EXPECT_FALSE(verifier.compare(0, 1)->similar);
}

TEST(Content, NumbersCountAsOftenAsTheyOccur) {
  std::vector<uint64_t> a, b = {5};  // what was there before must not show
  collect_numbers(Tokens{number(7), word(1), number(3), number(7), number(7)}, a);
  collect_numbers(Tokens{number(9), number(7), number(7), word(3), number(1), number(2)}, b);
  EXPECT_EQ(a, (std::vector<uint64_t>{number(3), number(7), number(7), number(7)}));
  EXPECT_EQ(count_numbers(a, b), (NumberCounts{.fewer = 4, .common = 2}));
  EXPECT_EQ(count_numbers(b, a), (NumberCounts{.fewer = 4, .common = 2}));
  EXPECT_EQ(count_numbers(a, {}), NumberCounts{});
}

TEST(Content, TheFormulaOfTheSimilarity) {
  EXPECT_EQ(content_similarity({}, {}, 0), 0);
  EXPECT_EQ(content_similarity({.both = 3, .only_a = 1}, {}, 0.5), 0.75);
  EXPECT_EQ(content_similarity({.both = 3, .only_a = 1}, {.fewer = 4, .common = 4}, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(content_similarity({.both = 3, .only_a = 1}, {.fewer = 4, .common = 1}, 0.5),
                   0.75 * (1 - 0.4 * 0.75));
  EXPECT_DOUBLE_EQ(content_similarity({.both = 3, .only_a = 1}, {.fewer = 4}, 0.5), 0.75 * 0.6);
  EXPECT_TRUE(std::ranges::is_sorted(kCommonWeights, std::greater{})) << "what is more common weighs less";
}

// Of 3-grams that weigh as much as those that no other text has.
CommonSums sums_of(uint64_t both, uint64_t only_a, uint64_t only_b) {
  const uint64_t one = kCommonWeights[0];
  return {.both = both * one, .only_a = only_a * one, .only_b = only_b * one};
}

TEST(Content, NearlyWholeCopiesAreTheSameWhoeverHasThem) {
  EXPECT_EQ(content_similarity(sums_of(1, 0, 0), {}, 1), 1);
  EXPECT_DOUBLE_EQ(content_similarity(sums_of(0, 12, 6), {}, .95), .9 * .75);
  EXPECT_DOUBLE_EQ(content_similarity(sums_of(0, 6, 12), {.fewer = 4}, .95), .9 * .75 * .6);
  EXPECT_EQ(content_similarity(sums_of(0, 48, 0), {}, .99), 0) << "so much is said by one of them";
  EXPECT_EQ(content_similarity(sums_of(0, 5, 5), {}, .5), 0) << "so much of it is said by one of them";
  EXPECT_DOUBLE_EQ(content_similarity(sums_of(300, 100, 100), {}, .6), .6) << "what both say is not common";
}

// However much is common to all, what a text says of its own decides, and a little more of that never makes two texts
// the same, nor changes their similarity by much.
TEST(Content, TheSimilarityFallsWithoutAJumpByWhatIsSaidBesides) {
  for (const uint64_t frame : {50, 400, 2000, 20000}) {
    for (const uint64_t weight : kCommonWeights) {
      double before = 1;
      for (uint64_t own = 0; own < 250; ++own) {
        CommonSums sums = sums_of(0, own, own);
        sums.both = frame * weight;
        const double jaccard = static_cast<double>(frame) / static_cast<double>(frame + 2 * own);
        const double now = content_similarity(sums, {}, jaccard);
        EXPECT_LE(now, before) << frame << " in common, " << own << " of each";
        EXPECT_GT(now, before - .15) << frame << " in common, " << own << " of each";
        before = now;
      }
    }
  }
}

TEST(Content, ShortTexts) {
  const Texts texts = {{},          {},          {word(7)},  {word(7)}, {word(7), word(8)}, {word(7), word(8)},
                       {number(7)}, {number(7)}, {number(8)}};
  Verifier verifier(kContent, source_of(texts), 0);
  for (const auto& [a, b] : {std::pair(0U, 0U), {0U, 1U}, {0U, 2U}, {2U, 0U}}) {
    EXPECT_EQ(*verifier.compare(a, b), Verdict{}) << "no tokens: similar to nothing";
    EXPECT_EQ(*verifier.compare_exactly(a, b), Verdict{});
  }
  const Verdict equal{.similar = true, .similarity = 1, .any_counts = true};
  for (const uint32_t a : {2U, 4U, 6U}) EXPECT_EQ(*verifier.compare(a, a + 1), equal) << a;
  for (const auto& [a, b] : {std::pair(2U, 4U), {2U, 6U}, {7U, 8U}}) {
    EXPECT_FALSE(verifier.compare(a, b)->similar);
    EXPECT_EQ(verifier.compare_exactly(a, b)->similarity, 0.0F);
  }
}

}  // namespace
}  // namespace neardup::verify::content_test
