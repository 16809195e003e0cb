#include "neardup/diff/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>

#include "neardup/diff/sequence_diff.h"
#include "neardup/diff/words.h"
#include "tests/unit/diff/diff_check.h"

namespace neardup::diff {
namespace {

std::string shown(const std::vector<DiffPiece>& pieces) {
  std::string out;
  for (const DiffPiece& piece : pieces) {
    if (piece.kind == DiffKind::kEqual) out += std::string(piece.a);
    if (piece.kind == DiffKind::kOnlyA) out += "[-" + std::string(piece.a) + "]";
    if (piece.kind == DiffKind::kOnlyB) out += "[+" + std::string(piece.b) + "]";
  }
  return out;
}

std::string diff(std::string_view a, std::string_view b) { return shown(diff_words(a, b)); }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const Word& word : split_words(text)) words.emplace_back(text.substr(word.begin, word.end - word.begin));
  return words;
}

/// The textbook table, quadratic in time and space.
size_t lcs_length(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<std::vector<size_t>> best(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      best[i][j] = a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
    }
  }
  return best[a.size()][b.size()];
}

/// Returns the length of the common subsequence that `diff` names, after checking that it is one.
size_t common_length(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, const SequenceDiff& result) {
  std::vector<uint32_t> left, right;
  for (size_t i = 0; i < a.size(); ++i)
    if (!result.only_a[i]) left.push_back(a[i]);
  for (size_t i = 0; i < b.size(); ++i)
    if (!result.only_b[i]) right.push_back(b[i]);
  EXPECT_EQ(left, right);
  return left.size();
}

std::vector<uint32_t> random_sequence(std::mt19937_64& random, size_t size, uint32_t alphabet) {
  std::vector<uint32_t> out(size);
  for (uint32_t& value : out) value = static_cast<uint32_t>(random() % alphabet);
  return out;
}

TEST(SplitWords, KeepsWordsWholeAndSplitsScriptsWithoutSpaces) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("  It don't  cost 1,204.50 (or so)."),
            (Words{"It", "don't", "cost", "1,204.50", "(", "or", "so", ")", "."}));
  EXPECT_EQ(words_of("图书馆 2026年"), (Words{"图", "书", "馆", "2026", "年"}));
  EXPECT_EQ(words_of("cafe\u0301 fu\u0308r"), (Words{"cafe\u0301", "fu\u0308r"}));
  EXPECT_EQ(words_of("مكتبة عامة"), (Words{"مكتبة", "عامة"}));
  EXPECT_EQ(words_of("도서관은 열린다"), (Words{"도서관은", "열린다"}));
  EXPECT_EQ(words_of("👩\u200D🚀🚀"), (Words{"👩\u200D🚀", "🚀"}));
  EXPECT_EQ(words_of(" \n\t\u3000"), Words{});
}

TEST(SplitWords, MarksStayWithTheirBaseInThai) { EXPECT_EQ(words_of("สี่"), (std::vector<std::string>{"สี่"})); }

TEST(DiffWords, MarksWordsThatDiffer) {
  EXPECT_EQ(diff("the quick brown fox", "the slow brown fox"), "the [-quick ][+slow ]brown fox");
  EXPECT_EQ(diff("one two", "one two three"), "one two[+three]");
  EXPECT_EQ(diff("十点开门", "九点开门"), "[-十][+九]点开门");
  EXPECT_EQ(diff("Case", "case"), "[-Case][+case]");
}

TEST(DiffWords, WhiteSpaceDoesNotDiffer) {
  EXPECT_EQ(diff("a b\n   c", " a\tb c \n"), "a b\n   c");
  auto pieces = diff_words("a b\n   c", " a\tb c \n");
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].b, " a\tb c \n");
}

TEST(DiffWords, EmptyAndBlankTexts) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("a", ""), "[-a]");
  EXPECT_EQ(diff("", "a b"), "[+a b]");
  EXPECT_EQ(diff("  ", "a"), "[-  ][+a]");
  EXPECT_EQ(diff(" \n", " \n"), " \n");
}

TEST(DiffSequences, AsManyEqualAsTheQuadraticTableExhaustive) {
  // All pairs of sequences up to length 5 over 2 symbols.
  std::vector<std::vector<uint32_t>> all;
  for (size_t size = 0; size <= 5; ++size) {
    for (uint32_t bits = 0; bits < 1u << size; ++bits) {
      std::vector<uint32_t> sequence(size);
      for (size_t i = 0; i < size; ++i) sequence[i] = bits >> i & 1;
      all.push_back(sequence);
    }
  }
  for (const auto& a : all) {
    for (const auto& b : all) ASSERT_EQ(common_length(a, b, diff_sequences(a, b, 2, 1 << 20)), lcs_length(a, b));
  }
}

TEST(DiffSequences, AsManyEqualAsTheQuadraticTableRandom) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    auto alphabet = static_cast<uint32_t>(1 + random() % 12);
    auto a = random_sequence(random, random() % 40, alphabet);
    auto b = random() % 2 == 0 ? random_sequence(random, random() % 40, alphabet) : a;
    for (uint32_t& value : b)
      if (random() % 5 == 0) value = static_cast<uint32_t>(random() % alphabet);
    ASSERT_EQ(common_length(a, b, diff_sequences(a, b, alphabet, 1 << 20)), lcs_length(a, b));
  }
}

TEST(DiffSequences, WithoutStepsStillACommonSubsequence) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 500; ++round) {
    auto a = random_sequence(random, random() % 60, 50), b = random_sequence(random, random() % 60, 50);
    ASSERT_LE(common_length(a, b, diff_sequences(a, b, 50, round % 40)), lcs_length(a, b));
  }
}

TEST(DiffSequences, WithoutStepsUniqueElementsAreStillMatched) {
  std::vector<uint32_t> a, b;
  for (uint32_t i = 0; i < 1000; ++i) {
    a.push_back(i);
    if (i % 3 != 0) b.push_back(i);
  }
  std::swap(b[10], b[500]);
  EXPECT_GE(common_length(a, b, diff_sequences(a, b, 1000, 0)), b.size() - 3);
}

TEST(DiffWords, RandomTextsKeepEveryByte) {
  static constexpr const char* kParts[] = {"a",  "the ", "word\n", "图",  "\xff", ". ",
                                           "  ", "é",    "\u0301", "1,2", "'",    "\u202E"};
  std::mt19937_64 random(9);
  auto text = [&] {
    std::string out;
    for (size_t i = random() % 30; i > 0; --i) out += kParts[random() % std::size(kParts)];
    return out;
  };
  for (int round = 0; round < 3000; ++round) {
    std::string a = text(), b = text();
    ASSERT_EQ(check_diff(a, b), "") << a << "\n---\n" << b;
  }
}

TEST(DiffWords, LargeDifferentTextsEndInTime) {
  std::mt19937_64 random(10);
  std::string a, b;
  for (int i = 0; i < 60000; ++i)
    a += std::to_string(random() % 5000) + " ", b += std::to_string(random() % 5000) + " ";
  EXPECT_EQ(check_pieces(diff_words(a, b, 1'000'000), a, b), "");
}

TEST(MergeSmallMatches, JoinsChangesAcrossACommaOnly) {
  EXPECT_EQ(shown(merge_small_matches(diff_words("first alpha, second end", "third betas, fourth end"))),
            "[-first alpha, second ][+third betas, fourth ]end");
  EXPECT_EQ(shown(merge_small_matches(diff_words("alpha remarkable beta", "gamma remarkable delta"))),
            "[-alpha ][+gamma ]remarkable [-beta][+delta]");
}

TEST(FoldEqual, LeavesOutTheMiddleOfLongEqualStretches) {
  std::string same;
  for (int i = 0; i < 100; ++i) same += "word" + std::to_string(i) + " ";
  std::string a = "old " + same + "end", b = "new " + same + "END";
  auto hunks = fold_equal(diff_words(a, b), 40);
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(hunks[0].skipped_characters, 0u);
  EXPECT_GT(hunks[1].skipped_characters, 400u);
  EXPECT_EQ(hunks[0].pieces.back().a.substr(0, 6), "word0 ");
  EXPECT_TRUE(hunks[0].pieces.back().a.ends_with(' '));
  EXPECT_EQ(hunks[1].pieces.back().b, "END");
}

TEST(FoldEqual, CutsBetweenWordsBesideWhiteSpace) {
  std::string same;
  for (int i = 0; i < 60; ++i) same += "some (parenthesised-words) here\n";
  const std::string a = "old " + same + "end", b = "new " + same + "END";
  for (size_t context = 1; context < 60; ++context) {
    const auto hunks = fold_equal(diff_words(a, b), context);
    ASSERT_EQ(hunks.size(), 2u);
    const std::string_view before = hunks[0].pieces.back().a, after = hunks[1].pieces.front().a;
    EXPECT_TRUE(before.ends_with(' ') || before.ends_with('\n')) << before;
    EXPECT_EQ(after.find_first_of("somewp(h"), 0u) << after;
    EXPECT_FALSE(after.starts_with("parenthesised")) << after;
  }
}

std::string lower(std::string_view word) {
  std::string out;
  for (const char c : word) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "\u00DF" ? "ss" : out;
}

TEST(DiffWords, FoldedWordsAreEqual) {
  const auto pieces = diff_words("The CASE of \u00DF", "the case Of SS!", kDefaultDiffSteps, lower);
  EXPECT_EQ(shown(pieces), "The CASE of \u00DF[+!]");
  EXPECT_EQ(count_folded(pieces), 4u);
  EXPECT_EQ(count_folded(diff_words("the same", "the same", kDefaultDiffSteps, lower)), 0u);
}

// The two sides of an equal stretch may have other numbers of characters then: a cut is after the same word in both.
TEST(FoldEqual, CutsFoldedStretchesAtTheSameWord) {
  std::string a = "old ", b = "new ";
  for (int i = 0; i < 100; ++i) {
    a += i % 3 == 0 ? "\u00DF " : "w" + std::to_string(i) + " ";
    b += i % 3 == 0 ? "SS " : "W" + std::to_string(i) + " ";
  }
  a += "end", b += "other";
  const auto hunks = fold_equal(diff_words(a, b, kDefaultDiffSteps, lower), 40);
  ASSERT_EQ(hunks.size(), 2u);
  for (const auto& hunk : hunks)
    for (const DiffPiece& piece : hunk.pieces)
      if (piece.kind == DiffKind::kEqual) {
        EXPECT_EQ(split_words(piece.a).size(), split_words(piece.b).size());
        EXPECT_EQ(diff_words(piece.a, piece.b, kDefaultDiffSteps, lower).size(), 1u);
      }
}

TEST(FoldEqual, ShortStretchesStayWhole) {
  auto pieces = diff_words("a b c d e f", "a b x d e f");
  auto hunks = fold_equal(pieces, 40);
  ASSERT_EQ(hunks.size(), 1u);
  EXPECT_EQ(hunks[0].pieces.size(), pieces.size());
}

TEST(FoldEqual, WithoutChangesShowsTheBeginning) {
  std::string same(1000, 'x');
  for (size_t i = 7; i < same.size(); i += 8) same[i] = ' ';
  auto hunks = fold_equal(diff_words(same, same), 40);
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_TRUE(same.starts_with(hunks[0].pieces[0].a));
  EXPECT_TRUE(hunks[1].pieces.empty());
  EXPECT_GT(hunks[1].skipped_characters, 700u);
}

}  // namespace
}  // namespace neardup::diff
