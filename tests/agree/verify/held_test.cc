// What a text holds of another against the definition: token by token, run by run, without hashes.
#include "neardup/verify/held.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace neardup::verify::held_test {
namespace {

using Tokens = std::vector<uint32_t>;

bool has_run(const Tokens& text, Tokens::const_iterator begin) {
  return std::search(text.begin(), text.end(), begin, begin + kHeldRun) != text.end();
}

// Whether a token lies in some run that does not stand further up in its text.
bool says_something_new(const Tokens& text, size_t i) {
  for (size_t begin = i + 1 < kHeldRun ? 0 : i + 1 - kHeldRun; begin <= i && begin + kHeldRun <= text.size(); ++begin) {
    const auto run = text.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto first = std::search(text.begin(), text.end(), run, run + kHeldRun);
    if (first == run) return true;
  }
  return false;
}

// A token is held where some run of kHeldRun tokens that it lies in stands in the other text.
HeldTokens by_definition(const Tokens& shorter, const Tokens& longer, const std::vector<uint8_t>& is_common) {
  HeldTokens result;
  for (size_t i = 0; i < shorter.size(); ++i) {
    bool is_held = false;
    for (size_t begin = i + 1 < kHeldRun ? 0 : i + 1 - kHeldRun; begin <= i && begin + kHeldRun <= shorter.size();
         ++begin)
      is_held = is_held || has_run(longer, shorter.begin() + static_cast<std::ptrdiff_t>(begin));
    const bool is_own = says_something_new(shorter, i) && (is_common.empty() || is_common[i] == 0);
    ++result.tokens, result.held += is_held, result.own_tokens += is_own, result.own_held += is_own && is_held;
  }
  return result;
}

Tokens random_tokens(std::mt19937& random, size_t size, uint32_t num_kinds) {
  Tokens tokens(size);
  for (uint32_t& token : tokens) token = static_cast<uint32_t>(random()) % num_kinds;
  return tokens;
}

TEST(HeldTokens, AgreeWithTheDefinitionForAllSmallTexts) {
  constexpr size_t kLength = 10;
  std::vector<Tokens> texts;
  for (uint32_t bits = 0; bits < 1U << kLength; ++bits) {
    Tokens& text = texts.emplace_back();
    for (size_t i = 0; i < kLength; ++i) text.push_back(bits >> i & 1);
  }
  for (size_t a = 0; a < texts.size(); a += 7)
    for (const Tokens& b : texts) {
      ASSERT_EQ(held_tokens(texts[a], b), by_definition(texts[a], b, {}));
      ASSERT_EQ(held_tokens(texts[a], RunIndex(b)), by_definition(texts[a], b, {}));
    }
}

TEST(HeldTokens, AgreeWithTheDefinitionForRandomTexts) {
  std::mt19937 random(4);
  for (int round = 0; round < 3000; ++round) {
    const auto num_kinds = static_cast<uint32_t>(1 + random() % 4 * (random() % 50 + 1));
    const Tokens longer = random_tokens(random, random() % 120, num_kinds);
    Tokens shorter = random_tokens(random, random() % 60, num_kinds);
    for (int quote = 0; quote < 3 && longer.size() > 20; ++quote) {
      const size_t begin = random() % (longer.size() - 20), size = 5 + random() % 15;
      shorter.insert(shorter.begin() + static_cast<std::ptrdiff_t>(random() % (shorter.size() + 1)),
                     longer.begin() + static_cast<std::ptrdiff_t>(begin),
                     longer.begin() + static_cast<std::ptrdiff_t>(begin + size));
    }
    std::vector<uint8_t> is_common(shorter.size());
    for (uint8_t& mark : is_common) mark = random() % 3 == 0;
    ASSERT_EQ(held_tokens(shorter, longer, is_common), by_definition(shorter, longer, is_common));
    ASSERT_EQ(held_tokens(shorter, longer), by_definition(shorter, longer, {}));
    const RunIndex runs(longer);
    ASSERT_EQ(held_tokens(shorter, runs, is_common), by_definition(shorter, longer, is_common));
    ASSERT_EQ(runs.size_bytes(), RunIndex::size_bytes_of(longer.size()));
  }
}

TEST(HeldTokens, OneTokenRepeatedAMillionTimes) {
  const Tokens text(1'000'000, 7);
  const HeldTokens held = held_tokens(text, Tokens(kHeldRun, 7));
  EXPECT_EQ(held.held, 1'000'000U);
  EXPECT_EQ(held_tokens(text, Tokens(kHeldRun - 1, 7)).held, 0U);
  EXPECT_EQ(held.own_tokens, kHeldRun);  // it says one thing
  EXPECT_FALSE(held.reaches(0.8));
  EXPECT_EQ(held_tokens(text, RunIndex(Tokens(kHeldRun, 7))), held);
}

// A log of one line is in no text that has the line; one of a hundred different lines is in a text that has them.
TEST(HeldTokens, WhatIsOnlyRepeatedCountsOnce) {
  std::mt19937 random(5);
  const Tokens line = random_tokens(random, 12, 1U << 30);
  Tokens log;
  for (int i = 0; i < 500; ++i) log.insert(log.end(), line.begin(), line.end());
  Tokens longer = random_tokens(random, 8000, 1U << 30);
  longer.insert(longer.begin() + 4000, line.begin(), line.end());
  longer.insert(longer.begin() + 4000, line.begin(), line.end());
  const HeldTokens held = held_tokens(log, longer);
  EXPECT_EQ(held.share(), 1);
  EXPECT_EQ(held.own_tokens, 12U + kHeldRun - 1);
  EXPECT_FALSE(held.reaches(0.8));

  const Tokens said = random_tokens(random, 40, 1U << 30), other = random_tokens(random, 40, 1U << 30);
  longer.insert(longer.begin() + 100, said.begin(), said.end());
  Tokens tail = log;
  tail.insert(tail.begin(), other.begin(), other.end());
  EXPECT_GT(held_tokens(tail, longer).share(), 0.9);
  EXPECT_FALSE(held_tokens(tail, longer).reaches(0.8));  // what it says is not there
  tail.insert(tail.begin(), said.begin(), said.end());
  tail.erase(tail.begin() + 40, tail.begin() + 80);
  EXPECT_TRUE(held_tokens(tail, longer).reaches(0.8));
}

TEST(HeldTokens, ReachesCountsCommonTokensForNothing) {
  const auto reaches = [](uint64_t tokens, uint64_t held, uint64_t own, uint64_t own_held) {
    return HeldTokens{tokens, held, own, own_held}.reaches(0.8);
  };
  EXPECT_TRUE(reaches(100, 80, 100, 80));
  EXPECT_FALSE(reaches(100, 79, 100, 79));
  EXPECT_FALSE(reaches(200, 170, 30, 0));     // a licence, and little of its own
  EXPECT_FALSE(reaches(200, 200, 0, 0));      // a licence alone
  EXPECT_FALSE(reaches(200, 100, 100, 100));  // all of its own, and a footer that the other has not
  EXPECT_FALSE(reaches(kLeastContained - 1, kLeastContained - 1, kLeastContained - 1, kLeastContained - 1));
}

TEST(HeldTokens, EveryShareIsReachedByJustThatMuch) {
  for (uint64_t percent = 50; percent < 100; ++percent) {
    const double asked = static_cast<double>(percent) / 100;
    EXPECT_TRUE((HeldTokens{100, percent, 100, percent}.reaches(asked))) << asked;
    EXPECT_FALSE((HeldTokens{100, percent - 1, 100, percent - 1}.reaches(asked))) << asked;
    EXPECT_TRUE(is_longer(100, percent, asked)) << asked;
    EXPECT_FALSE(is_longer(100, percent + 1, asked)) << asked;
  }
}

TEST(HeldTokens, OnlyLongerTextsContain) {
  EXPECT_TRUE(is_longer(125, 100, 0.8));
  EXPECT_FALSE(is_longer(124, 100, 0.8));
  EXPECT_FALSE(is_longer(100, 100, 1));
  EXPECT_TRUE(is_longer(101, 100, 1));
}

TEST(HeldTokens, OfTextsOfAboutOneSizeNearlyAllIsAsked) {
  EXPECT_EQ(share_to_hold(200, 100, 0.8), 0.8);
  EXPECT_EQ(share_to_hold(100'000, 100, 0.8), 0.8);
  EXPECT_DOUBLE_EQ(share_to_hold(199, 100, 0.8), 0.95);
  EXPECT_DOUBLE_EQ(share_to_hold(199, 100, 0.5), 0.875);
  EXPECT_EQ(share_to_hold(199, 100, 1), 1);
}

TEST(MarkCommon, FillsBetweenCommonPassagesThatFollowOneAnother) {
  const std::vector<feature::Passage> passages = {{1, 0}, {2, 10}, {3, 20}, {4, 32}};
  std::vector<uint8_t> is_common;
  mark_common(passages, {false, true, true, false}, 41, is_common);
  std::vector<uint8_t> expected(41);
  std::fill(expected.begin() + 10, expected.begin() + 28, 1);
  EXPECT_EQ(is_common, expected);
}

}  // namespace
}  // namespace neardup::verify::held_test
