// Who has a passage, against a map of lists.
#include "neardup/engine/online/passage_holders.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace neardup::engine {
namespace {

TEST(PassageHolders, AgreeWithAMapOfLists) {
  for (const size_t most : {1U, 2U, 3U, 16U}) {
    std::mt19937_64 random(most);
    PassageHolders holders(most);
    std::map<uint64_t, std::vector<uint32_t>> expected;
    for (uint32_t text = 0; text < 3000; ++text)
      for (int i = 0; i < 5; ++i) {
        const uint64_t kind = random() % 4;  // with the same lowest bits, and 0, too
        const uint64_t hash = kind == 0 ? random() % 8 : kind == 1 ? random() % 200 << 40 : random() % 50'000;
        std::vector<uint32_t>& texts = expected[hash];
        const uint32_t number = text % 9 == 0 ? PassageHolders::kNobody : text;
        if (!texts.empty() && texts.back() == number) continue;
        texts.push_back(number);
        holders.add({&hash, 1}, number);
      }
    for (const auto& [hash, texts] : expected) {
      const PassageHolders::Holders found = holders.of(hash);
      ASSERT_EQ(found.is_common, texts.size() >= most) << hash;
      if (texts.size() >= most)
        ASSERT_TRUE(found.numbers.empty());
      else
        ASSERT_EQ(std::vector<uint32_t>(found.numbers.begin(), found.numbers.end()), texts);
    }
    EXPECT_TRUE(holders.of(uint64_t{1} << 63).numbers.empty());
    EXPECT_FALSE(holders.of(uint64_t{1} << 63).is_common);
    EXPECT_LT(holders.size_bytes(), expected.size() * 150 + 4096);
    size_t num_lists = 0;
    for (const auto& [hash, texts] : expected) num_lists += texts.size() > 1 && texts.size() < most ? 1 : 0;
    EXPECT_GE(holders.size_bytes(), expected.size() * 21 + num_lists * 56);
  }
}

/// Passages that came to be common keep a slot and a list that is used again, and nothing of their texts.
TEST(PassageHolders, WhatBecomesCommonIsGivenBack) {
  constexpr size_t kMost = 1000;
  PassageHolders holders(kMost);
  for (uint32_t text = 0; text + 1 < kMost; ++text)
    for (uint64_t hash = 0; hash < 100; ++hash) holders.add({&hash, 1}, text);
  const uint64_t before = holders.size_bytes();
  EXPECT_GE(before, 100 * (kMost - 1) * sizeof(uint32_t));
  for (uint64_t hash = 0; hash < 100; ++hash) holders.add({&hash, 1}, kMost);
  EXPECT_LT(holders.size_bytes(), before / 20);
  for (uint64_t hash = 100; hash < 200; ++hash)
    for (uint32_t text = 0; text < 2; ++text) holders.add({&hash, 1}, text);
  EXPECT_LT(holders.size_bytes(), before / 20);
}

}  // namespace
}  // namespace neardup::engine
