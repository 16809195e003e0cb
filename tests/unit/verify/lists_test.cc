// Lists: what the one that goes names, and the one that stays does not.
#include "neardup/verify/lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::verify::lists_test {
namespace {

using Tokens = std::vector<uint32_t>;

constexpr size_t kItemTokens = 9;

// A title or teaser of its own, with a date.
Tokens item(uint32_t which) {
  std::mt19937 random(which);
  Tokens tokens;
  for (size_t i = 0; i + 1 < kItemTokens; ++i)
    tokens.push_back(token::marked_hash((uint64_t{random()} << 20) + random(), false));
  tokens.push_back(token::marked_hash(2 * uint64_t{which % 28}, true));
  return tokens;
}

Tokens list_of(const std::vector<uint32_t>& items, uint32_t mark = token::kListHeadingEnd) {
  Tokens tokens = {token::marked_hash(2, false), token::marked_hash(4, false), mark};
  for (const uint32_t which : items) {
    const Tokens added = item(which);
    tokens.insert(tokens.end(), added.begin(), added.end());
  }
  return tokens;
}

std::vector<uint32_t> range(uint32_t begin, uint32_t end) {
  std::vector<uint32_t> numbers;
  for (uint32_t i = begin; i < end; ++i) numbers.push_back(i);
  return numbers;
}

bool goes_for(const Tokens& gone, const Tokens& kept) {
  return compare_tokens(Rule{.kind = Rule::Kind::kContent}, kept, gone).similar;
}

uint64_t missing(const Tokens& gone, const Tokens& kept) {
  return count_missing(gone, make_shingle_set(kept, 3).hashes);
}

TEST(Lists, AreToldByTheMarkBehindTheirTitle) {
  EXPECT_TRUE(is_list(list_of({1, 2})));
  EXPECT_FALSE(is_list(list_of({1, 2}, token::kHeadingEnd)));
  EXPECT_TRUE(is_list(Tokens{token::kListHeadingEnd, 2, 4})) << "a list without a title";
  EXPECT_FALSE(is_list(Tokens()));
  Tokens titled(kMostListTitle - 1, 8);
  titled.push_back(token::kListHeadingEnd);
  EXPECT_TRUE(is_list(titled));
  titled.insert(titled.begin(), 8);
  EXPECT_FALSE(is_list(titled)) << "so far behind it is no title's";
}

TEST(Lists, AListGoesForOneThatHasItsItems) {
  const Tokens ten = list_of(range(0, 10)), fifteen = list_of(range(0, 15));
  EXPECT_TRUE(goes_for(ten, fifteen)) << "all of them, and more";
  EXPECT_FALSE(goes_for(fifteen, ten)) << "five would be lost";
  EXPECT_EQ(missing(ten, fifteen), 0U);
  EXPECT_EQ(missing(fifteen, ten), 5 * kItemTokens);
  EXPECT_FALSE(goes_for(list_of(range(1, 11)), ten)) << "one came, one went";
  EXPECT_TRUE(goes_for(list_of(range(1, 11), token::kHeadingEnd), list_of(range(0, 10), token::kHeadingEnd)))
      << "an article that was revised";
  EXPECT_TRUE(goes_for(list_of(range(0, 10), token::kHeadingEnd), ten)) << "only what goes is asked";
}

TEST(Lists, OrderNumbersAndTitlesDoNotCount) {
  const Tokens ten = list_of(range(0, 10));
  Tokens other = list_of({9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_TRUE(goes_for(other, ten)) << "the same the other way round";
  for (size_t at = 2 + kItemTokens; at < other.size(); at += kItemTokens) other[at] = token::marked_hash(9999, true);
  EXPECT_EQ(missing(other, ten), 0U) << "counts that went up";
  Tokens named = {100, 102, 104, 106, 108, token::kListHeadingEnd, 100, 102, 104, 106, 108};
  const Tokens items = item(1);
  named.insert(named.end(), items.begin(), items.end());
  EXPECT_EQ(missing(named, list_of({1})), 0U) << "the heading says the title again";
}

TEST(Lists, ASmallShareMayBeMissing) {
  const Tokens many = list_of(range(0, 60));
  EXPECT_TRUE(goes_for(list_of(range(1, 61)), many)) << "one of sixty";
  EXPECT_FALSE(goes_for(list_of(range(2, 62)), many)) << "two";
  EXPECT_TRUE(is_much_missing(3, 149));
  EXPECT_FALSE(is_much_missing(3, 150));
  Tokens three_words = list_of({1, 2});
  three_words.insert(three_words.end(), {200, 202, 204});
  EXPECT_EQ(missing(three_words, list_of({1, 2})), 0U) << "less than an item";
  three_words.push_back(206);
  EXPECT_EQ(missing(three_words, list_of({1, 2})), 4U);
}

// From the list itself to one that shares nothing.
TEST(Lists, WithMoreItemsOfItsOwnAListNeverGoesAgain) {
  for (const uint32_t num_items : {5U, 20U, 100U, 300U}) {
    const Tokens kept = list_of(range(0, num_items));
    bool goes = true;
    uint64_t before = 0;
    for (uint32_t own = 0; own <= num_items; ++own) {
      const Tokens gone = list_of(range(own, num_items + own));
      EXPECT_GE(missing(gone, kept), before) << own << " of " << num_items;
      before = missing(gone, kept);
      EXPECT_EQ(before, own * kItemTokens);
      const bool still_goes = goes_for(gone, kept);
      EXPECT_FALSE(still_goes && !goes) << own << " of " << num_items;
      EXPECT_EQ(still_goes, own * kItemTokens * kMostMissingPart <= gone.size()) << own << " of " << num_items;
      goes = still_goes;
    }
    EXPECT_FALSE(goes);
  }
}

TEST(Lists, WhatIsMissingTakesTheSimilarityBelowTheBar) {
  const Verdict verdict =
      compare_tokens(Rule{.kind = Rule::Kind::kContent}, list_of(range(0, 20)), list_of(range(1, 21)));
  EXPECT_FALSE(verdict.similar);
  EXPECT_LT(verdict.similarity, kMissingItemsLeft);
  EXPECT_GT(verdict.similarity, 0.3);
  EXPECT_EQ(of_missing_items({.similar = true, .similarity = 1}).similarity, static_cast<float>(kMissingItemsLeft));
}

}  // namespace
}  // namespace neardup::verify::lists_test
