// What diff.h promises of any two texts, by construction of texts whose difference is known.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <set>
#include <string>

#include "neardup/diff/reflow.h"
#include "neardup/diff/words.h"
#include "tests/unit/diff/diff_check.h"

namespace neardup::diff {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Words unique_words(size_t count) {
  Words words;
  for (size_t i = 0; i < count; ++i) words.push_back("w" + std::to_string(i));
  return words;
}

size_t words_of_kind(const std::vector<DiffPiece>& pieces, DiffKind kind) {
  size_t count = 0;
  for (const DiffPiece& piece : pieces)
    if (piece.kind == kind) count += split_words(piece.a.empty() ? piece.b : piece.a).size();
  return count;
}

TEST(DiffOfWords, WhatWasTakenOutIsOnlyInOne) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const Words all = unique_words(1 + random() % 80);
    Words kept;
    for (const std::string& word : all)
      if (random() % 4 != 0) kept.push_back(word);
    const std::string a = joined(all), b = joined(kept);
    const auto pieces = diff_words(a, b);
    EXPECT_EQ(words_of_kind(pieces, DiffKind::kOnlyA), all.size() - kept.size());
    EXPECT_EQ(words_of_kind(pieces, DiffKind::kOnlyB), 0U);
    EXPECT_EQ(words_of_kind(diff_words(b, a), DiffKind::kOnlyB), all.size() - kept.size());
  }
}

TEST(DiffOfWords, OneWordReplacedAnywhereIsOneChange) {
  const Words all = unique_words(30);
  for (size_t at = 0; at < all.size(); ++at) {
    Words changed = all;
    changed[at] = "other";
    const std::string a = joined(all), b = joined(changed);
    const auto pieces = diff_words(a, b);
    EXPECT_EQ(words_of_kind(pieces, DiffKind::kOnlyA), 1U) << at;
    EXPECT_EQ(words_of_kind(pieces, DiffKind::kOnlyB), 1U) << at;
    EXPECT_EQ(pieces.size(), at == 0 || at + 1 == all.size() ? 3U : 4U);
  }
}

TEST(DiffOfWords, EqualWordsAreAsManyFromBothSides) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    Words a, b;
    for (size_t i = random() % 40; i > 0; --i) a.push_back("w" + std::to_string(random() % 10));
    for (size_t i = random() % 40; i > 0; --i) b.push_back("w" + std::to_string(random() % 10));
    const std::string text_a = joined(a), text_b = joined(b);
    EXPECT_EQ(words_of_kind(diff_words(text_a, text_b), DiffKind::kEqual),
              words_of_kind(diff_words(text_b, text_a), DiffKind::kEqual));
  }
}

TEST(DiffOfWords, OtherWhiteSpaceIsNoDifference) {
  static constexpr const char* kSpaces[] = {" ", "\n", "\t", "  ", "\r\n", "\u00a0", "\u3000", " \n \n "};
  const Words all = unique_words(12);
  for (const char* space : kSpaces) {
    std::string spaced;
    for (const std::string& word : all) spaced += word + space;
    const std::string plain = joined(all);
    const auto pieces = diff_words(plain, spaced);
    ASSERT_EQ(pieces.size(), 1U) << "of U+" << code_point_name(character_at(space, 0).code_point);
    EXPECT_EQ(pieces[0].kind, DiffKind::kEqual);
    EXPECT_EQ(pieces[0].b, spaced);
  }
}

TEST(DiffOfWords, EachDifferentWordIsFoldedOnce) {
  std::map<std::string, int, std::less<>> calls;
  const auto fold = [&calls](std::string_view word) {
    ++calls[std::string(word)];
    return std::string(word);
  };
  (void)diff_words("a b a b a c", "b b a d", kDefaultDiffSteps, fold);
  EXPECT_EQ(calls.size(), 4U);
  for (const auto& [word, count] : calls) EXPECT_EQ(count, 1) << word;
}

TEST(DiffOfWords, AFoldThatMakesAllWordsEqualLeavesOnlyTheSurplus) {
  const auto pieces = diff_words("a b c d", "x y", kDefaultDiffSteps, [](std::string_view) { return std::string(); });
  EXPECT_EQ(words_of_kind(pieces, DiffKind::kEqual), 2U);
  EXPECT_EQ(words_of_kind(pieces, DiffKind::kOnlyA), 2U);
  EXPECT_EQ(count_folded(pieces), 2U);
}

TEST(DiffOfWords, AnyNumberOfStepsKeepsEveryByte) {
  std::mt19937_64 random(3);
  std::string a, b;
  for (int i = 0; i < 400; ++i) a += std::to_string(random() % 50) + " ", b += std::to_string(random() % 50) + " ";
  for (uint64_t steps = 0; steps < 5000; steps = 1 + steps * 3)
    EXPECT_EQ(check_pieces(diff_words(a, b, steps), a, b), "");
}

TEST(DiffOfWords, ManySteps) {
  std::mt19937_64 random(4);
  std::string a, b;
  for (int i = 0; i < 300; ++i) a += std::to_string(random() % 30) + " ", b += std::to_string(random() % 30) + " ";
  size_t before = 0;
  for (const uint64_t steps : {uint64_t{0}, uint64_t{1000}, kDefaultDiffSteps}) {
    const size_t equal = words_of_kind(diff_words(a, b, steps), DiffKind::kEqual);
    EXPECT_LE(before, words_of_kind(diff_words(a, b), DiffKind::kEqual)) << "never more than the most";
    before = equal;
  }
  EXPECT_EQ(before, words_of_kind(diff_words(a, b), DiffKind::kEqual));
}

RC_GTEST_PROP(DiffOfAnyBytes, KeepsAllOfThem, (const std::string& a, const std::string& b)) {
  RC_ASSERT(check_diff(a, b) == "");
  RC_ASSERT(check_diff(a, a) == "");
}

RC_GTEST_PROP(DiffOfAnyBytes, IsNothingForEqualTexts, (const std::string& text)) {
  const auto pieces = diff_words(text, text);
  RC_ASSERT(pieces.size() == (text.empty() ? 0U : 1U));
  RC_ASSERT(count_folded(pieces) == 0U);
}

RC_GTEST_PROP(SplitWordsOfAny, EveryByteButWhiteSpaceIsInOneWord, (const std::string& text)) {
  const auto words = split_words(text);
  std::string inside;
  uint32_t end = 0;
  for (const WordSpan& word : words) {
    RC_ASSERT(word.begin >= end);
    RC_ASSERT(word.end > word.begin);
    inside += text.substr(word.begin, word.end - word.begin);
    end = word.end;
  }
  RC_ASSERT(end <= text.size());
  RC_ASSERT(inside == without_space(text));
}

TEST(NumberWords, EqualNumbersAreEqualBytesByFirstAppearance) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    Words a, b;
    for (size_t i = random() % 30; i > 0; --i) a.push_back("w" + std::to_string(random() % 8));
    for (size_t i = random() % 30; i > 0; --i) b.push_back("w" + std::to_string(random() % 8));
    const std::string text_a = joined(a), text_b = joined(b);
    const NumberedWords numbered = number_words(text_a, split_words(text_a), text_b, split_words(text_b));
    std::map<std::string, uint32_t> model;
    std::vector<uint32_t> expected_a, expected_b;
    for (const std::string& word : a) expected_a.push_back(model.try_emplace(word, model.size()).first->second);
    for (const std::string& word : b) expected_b.push_back(model.try_emplace(word, model.size()).first->second);
    EXPECT_EQ(numbered.a, expected_a);
    EXPECT_EQ(numbered.b, expected_b);
    EXPECT_EQ(numbered.num_different, model.size());
  }
}

struct SplitCase {
  const char* text;
  Words words;
};

class SplitInto : public ::testing::TestWithParam<SplitCase> {};

TEST_P(SplitInto, Words) {
  Words found;
  const std::string_view text = GetParam().text;
  for (const WordSpan& word : split_words(text)) found.emplace_back(text.substr(word.begin, word.end - word.begin));
  EXPECT_EQ(found, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(Each, SplitInto,
                         ::testing::Values(SplitCase{"", {}}, SplitCase{" \n\t", {}}, SplitCase{"one", {"one"}},
                                           SplitCase{"don't", {"don't"}}, SplitCase{"'quoted'", {"'", "quoted", "'"}},
                                           SplitCase{"a+b", {"a", "+", "b"}}, SplitCase{"图书馆", {"图", "书", "馆"}},
                                           SplitCase{"e\u0301t\u0301", {"e\u0301t\u0301"}},
                                           SplitCase{"a,b", {"a", ",", "b"}}, SplitCase{"!!", {"!", "!"}},
                                           SplitCase{"x1y2", {"x1y2"}}));

TEST(MergedMatches, LongMatchesStay) {
  const std::string same = joined(unique_words(20)), a = "old " + same + " end", b = "new " + same + " END";
  const auto pieces = diff_words(a, b), merged = merge_small_matches(pieces);
  EXPECT_EQ(merged.size(), pieces.size());
}

TEST(MergedMatches, OfNothingAndOfEqualTextsAreThemselves) {
  EXPECT_TRUE(merge_small_matches({}).empty());
  EXPECT_EQ(merge_small_matches(diff_words("a b", "a b")).size(), 1U);
}

TEST(FoldedEqual, AnyContextCountsWhatItLeavesOut) {
  const std::string same = joined(unique_words(200)), a = "old " + same + " mid " + same,
                    b = "new " + same + " MID " + same;
  const auto pieces = diff_words(a, b);
  for (const size_t context : {size_t{0}, size_t{1}, size_t{7}, size_t{100}, size_t{100'000}})
    EXPECT_EQ(check_hunks(pieces, context), "") << context;
  EXPECT_EQ(fold_equal(pieces, 100'000).size(), 1U) << "nothing to leave out";
}

RC_GTEST_PROP(ReflowOfAny, OnlyWhiteSpaceChanges, (const std::string& text)) {
  RC_ASSERT(without_space(reflow(text)) == without_space(text));
}

TEST(ReflowOfProse, NoLineIsAddedAndParagraphsStay) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (size_t i = random() % 200; i > 0; --i) text += "word" + std::string(random() % 9 == 0 ? "\n" : " ");
    EXPECT_LE(std::ranges::count(reflow(text), '\n'), std::ranges::count(text, '\n'));
    const std::string two = reflow("First " + text + "end.\n\nSecond " + text + "end.");
    EXPECT_NE(two.find("\n\nSecond "), std::string::npos) << two;
  }
}

RC_GTEST_PROP(OneLineOfAny, IsOneLineWithinItsBytes, (const std::string& text)) {
  const size_t most = *rc::gen::inRange<size_t>(20, 200);
  const std::string line = one_line(text, most);
  RC_ASSERT(line.find('\n') == std::string::npos);
  RC_ASSERT(line.size() <= most + std::string_view(" \u2026").size());
  RC_ASSERT(line.find("  ") == std::string::npos);
}

TEST(OneLineOfAText, ThatFitsIsNotCut) {
  const std::string text = joined(unique_words(20));
  EXPECT_EQ(one_line(text, text.size()), text);
  EXPECT_TRUE(one_line(text, text.size() - 1).ends_with(" \u2026"));
  EXPECT_TRUE(text.starts_with(one_line(text, 50).substr(0, 40)));
}

}  // namespace
}  // namespace neardup::diff
