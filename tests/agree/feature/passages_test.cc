// Selected passages against the definition: the least hash of every window, in every small text and in long ones.
#include "neardup/feature/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace neardup::feature::passages_test {
namespace {

using Tokens = std::vector<uint32_t>;

// Each run hashed on its own.
std::vector<uint64_t> hashes_of(const Tokens& tokens) {
  std::vector<uint64_t> hashes;
  for (size_t begin = 0; begin + kPassageTokens <= tokens.size(); ++begin)
    for_each_passage(std::span(tokens).subspan(begin, kPassageTokens),
                     [&](uint64_t hash, size_t) { hashes.push_back(hash); });
  return hashes;
}

std::set<uint64_t> least_of_windows(const std::vector<uint64_t>& hashes) {
  std::set<uint64_t> least;
  const size_t window = std::min(kPassageWindow, hashes.size());
  for (size_t begin = 0; window > 0 && begin + window <= hashes.size(); ++begin)
    least.insert(*std::min_element(hashes.begin() + static_cast<std::ptrdiff_t>(begin),
                                   hashes.begin() + static_cast<std::ptrdiff_t>(begin + window)));
  return least;
}

void expect_by_definition(const Tokens& tokens) {
  const std::vector<uint64_t> hashes = hashes_of(tokens);
  std::vector<Passage> selected;
  select_passages(tokens, selected);
  std::set<uint64_t> found;
  for (size_t i = 0; i < selected.size(); ++i) {
    ASSERT_LT(selected[i].begin, hashes.size());
    ASSERT_EQ(selected[i].hash, hashes[selected[i].begin]);
    if (i > 0) {
      ASSERT_LT(selected[i - 1].begin, selected[i].begin);
      ASSERT_LE(selected[i].begin - selected[i - 1].begin, kPassageWindow);
    }
    found.insert(selected[i].hash);
  }
  ASSERT_EQ(found, least_of_windows(hashes)) << tokens.size() << " tokens";
}

Tokens random_tokens(std::mt19937& random, size_t size, uint32_t num_kinds) {
  Tokens tokens(size);
  for (uint32_t& token : tokens) token = static_cast<uint32_t>(random()) % num_kinds * 2654435761U;
  return tokens;
}

TEST(Passages, AgreeWithTheDefinitionInAllSmallTexts) {
  for (size_t size = 0; size <= 14; ++size)
    for (uint32_t bits = 0; bits < 1U << size; ++bits) {
      Tokens tokens;
      for (size_t i = 0; i < size; ++i) tokens.push_back(bits >> i & 1);
      expect_by_definition(tokens);
    }
}

TEST(Passages, AgreeWithTheDefinitionInLongTexts) {
  std::mt19937 random(1);
  for (const uint32_t num_kinds : {1U, 2U, 3U, 100U, 1U << 31})
    for (int round = 0; round < 100; ++round) expect_by_definition(random_tokens(random, random() % 400, num_kinds));
}

TEST(Passages, TextsWithALongRunInCommonMeet) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const Tokens shared = random_tokens(random, kMeetingRun, 1000);
    std::vector<Passage> selected[2];
    for (auto& of_text : selected) {
      Tokens text = random_tokens(random, random() % 100, 1000);
      text.insert(text.end(), shared.begin(), shared.end());
      const Tokens behind = random_tokens(random, random() % 100, 1000);
      text.insert(text.end(), behind.begin(), behind.end());
      select_passages(text, of_text);
    }
    const bool meet = std::ranges::any_of(selected[0], [&](const Passage& passage) {
      return std::ranges::find(selected[1], passage.hash, &Passage::hash) != selected[1].end();
    });
    ASSERT_TRUE(meet);
  }
}

TEST(Passages, AboutOneInSixAndAHalf) {
  std::mt19937 random(3);
  std::vector<Passage> selected;
  select_passages(random_tokens(random, 100'000, 1U << 31), selected);
  EXPECT_NEAR(static_cast<double>(selected.size()), 100'000 / 6.5, 300);
}

TEST(Passages, OfOneTokenRepeatedAMillionTimes) {
  std::vector<Passage> selected;
  select_passages(Tokens(1'000'000, 7), selected);
  EXPECT_LT(selected.size(), 1'000'000 / (kPassageWindow - 1));
  for (const Passage& passage : selected) ASSERT_EQ(passage.hash, selected[0].hash);
}

}  // namespace
}  // namespace neardup::feature::passages_test
