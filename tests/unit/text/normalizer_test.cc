#include "neardup/text/normalizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace neardup::text::normalizer_test {
namespace {

std::string normalized(std::string_view text, const NormalizeOptions& options = {}) {
  std::string out;
  Normalizer(options).normalize(text, out);
  return out;
}

TEST(Normalizer, Empty) {
  EXPECT_EQ(normalized(""), "");
  EXPECT_EQ(normalized(" \t\n\u3000\u00A0 "), "");
  EXPECT_EQ(normalized("\u200B\uFEFF"), "");
}

TEST(Normalizer, NumbersThatAreRaisedLoweredCircledOrPartsStayThemselves) {
  for (const Normalization normalization : {Normalization::kNfkcCasefold, Normalization::kFolded}) {
    Normalizer normalizer({.normalization = normalization});
    const auto stays = [&](std::string text) {
      std::string out;
      normalizer.normalize(text, out);
      EXPECT_EQ(out, text);
    };
    stays("10⁵ 10⁻⁵ x² 2ⁿ h₂o 10₂ aₙ");
    stays("1½ ⅔ ↉ 1⅐");
    stays("1① ⑳ ⓪ ㉑ ㊱ ㊀");
  }
  EXPECT_EQ(normalized("²\u0301Ａ² ⑴ Ⅳ ㎡ ª"), "²\u0301a² (1) iv m2 a");
}

TEST(Normalizer, FoldsLettersOfManyScripts) {
  EXPECT_EQ(normalized("The QUICK Brown"), "the quick brown");
  EXPECT_EQ(normalized("Straße ÉCOLE Ärger"), "strasse école ärger");
  EXPECT_EQ(normalized("ПРИВЕТ Мир"), "привет мир");
  EXPECT_EQ(normalized("ΟΔΥΣΣΕΥΣ"), "οδυσσευσ");
  EXPECT_EQ(normalized("ﬁne № ™ …"), "fine no tm ...");
  EXPECT_EQ(normalized("Ｆｕｌｌ　Ｗｉｄｔｈ１２"), "full width12");
  EXPECT_EQ(normalized("ｶﾞｷﾞ ㍿ か\u3099"), "ガギ 株式会社 が");
  EXPECT_EQ(normalized("\u1112\u1161\u11ab글"), "한글");
  EXPECT_EQ(normalized("ﷺ لا ﻻ"), "صلى الله عليه وسلم لا لا");
  EXPECT_EQ(normalized("नमस्ते हिन्दी"), "नमस्ते हिन्दी");
  EXPECT_EQ(normalized("บำรุง"), "บ\u0E4Dารุง");
  EXPECT_EQ(normalized("👩\u200D💻 ❤\uFE0F 😀"), "👩💻 ❤ 😀");
  EXPECT_EQ(normalized("soft\u00ADhyphen zero\u200Bwidth"), "softhyphen zerowidth");
}

TEST(Normalizer, ComposesAndOrdersMarks) {
  EXPECT_EQ(normalized("e\u0301"), "é");
  EXPECT_EQ(normalized("E\u0301\u0327"), "ȩ\u0301");
  EXPECT_EQ(normalized("q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(normalized("Vie\u0323\u0302t Nam"), "việt nam");
}

TEST(Normalizer, CollapsesEveryKindOfSpace) {
  EXPECT_EQ(normalized("  a \t\r\n b\u00A0\u2003c\u3000\u2028d\u0085e\u1680 f\v\f"), "a b c d e f");
  EXPECT_EQ(normalized("a ¨ b"), "a \u0308 b");
  EXPECT_EQ(normalized("a \u0301b"), "a \u0301b");
  EXPECT_EQ(normalized(" \u0301 "), "\u0301");
}

TEST(Normalizer, KeepsSpaceOnRequest) {
  EXPECT_EQ(normalized("  A\n\n\u3000b ", {.collapse_space = false}), "  a\n\n b ");
}

TEST(Normalizer, RepairsByMaximalSubparts) {
  const std::string r = "\uFFFD";
  EXPECT_EQ(normalized("a\xFFz"), "a" + r + "z");
  EXPECT_EQ(normalized("\xC0\xAF"), r + r);
  EXPECT_EQ(normalized("\xE0\x80\xAF"), r + r + r);
  EXPECT_EQ(normalized("\xED\xA0\x80\xED\xB0\x80"), r + r + r + r + r + r);  // a surrogate pair, as CESU-8 and WTF-8
  EXPECT_EQ(normalized("\xF4\x90\x80\x80"), r + r + r + r);                  // U+110000
  EXPECT_EQ(normalized("\xE4\xB8"), r);                                      // cut off at the end
  EXPECT_EQ(normalized("\xE4\xB8z"), r + "z");
  EXPECT_EQ(normalized("\xF0\x9F\x98\xE4\xB8\xAD"), r + "中");
  EXPECT_EQ(normalized("\xF1\x80\x80\xE1\x80\xC2z"), r + r + r + "z");  // Unicode 15, table 3-8
}

TEST(Normalizer, NoneOnlyRepairs) {
  const NormalizeOptions none{.normalization = Normalization::kNone, .collapse_space = false};
  EXPECT_EQ(normalized("É ＡB\u200B\n\n\xFF", none), "É ＡB\u200B\n\n\uFFFD");
  EXPECT_EQ(normalized("É\u00A0\n ＡB ", {.normalization = Normalization::kNone}), "É ＡB");
}

TEST(Normalizer, FoldsTraditionalCharacters) {
  EXPECT_EQ(normalized("漢語 臺灣 國際", {.fold_han = true}), "汉语 台湾 国际");
  EXPECT_EQ(normalized("漢語 「」"), "漢語 「」");
  EXPECT_EQ(normalized("漢語「」ＡB", {.normalization = Normalization::kNone, .fold_han = true}), "汉语「」ＡB");
  EXPECT_EQ(normalized("\u85B4\u82E7\u82CE", {.fold_han = true}), "\u82CE\u82CE\u82CE");
  EXPECT_EQ(normalized("\uFA30\u3231", {.fold_han = true}), normalized("侮(株)"));
}

TEST(Normalizer, IsIdempotentAndReusesItsOutput) {
  Normalizer normalizer;
  std::string out = "something else that is longer than what follows";
  std::string again;
  for (const char* text : {"Ünï  Cödé\xFF", "中文　ＡＢＣ", "a", ""}) {
    normalizer.normalize(text, out);
    normalizer.normalize(out, again);
    EXPECT_EQ(out, again);
  }
}

TEST(Normalizer, HugeTextsTakeLinearTime) {
  // Reordering marks takes ICU quadratic time: a megabyte of them would take a minute and a half.
  std::string marks = "a";
  while (marks.size() < 1 << 20) marks += "\u0301\u0327";
  EXPECT_EQ(normalized(marks).size(), marks.size() - 1);  // "á" is shorter by a byte than "a" and its mark
  std::string ordered = "a";
  while (ordered.size() < 1 << 20) ordered += "\u0652";
  EXPECT_EQ(normalized(ordered + "\u064B").size(), ordered.size() + 2);
  EXPECT_EQ(normalized(std::string(1 << 20, 'A')), std::string(1 << 20, 'a'));
  EXPECT_EQ(normalized(std::string(1 << 20, ' ')), "");
  EXPECT_EQ(normalized(std::string(1 << 20, '\xFF')).size(), size_t{3} << 20);
  std::string growing;
  for (int i = 0; i < 100000; ++i) growing += "ﷺ";
  EXPECT_EQ(normalized(growing).size(), size_t{33} * 100000);
}

TEST(Normalizer, ThreadsShareTheTables) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Ünï 中文 ПРИВЕТ ｶﾞ \xFF 漢";
  const std::string expected = normalized(text, {.fold_han = true});
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string& result : results) {
    threads.emplace_back([&] { Normalizer({.fold_han = true}).normalize(text, result); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(results.begin(), results.end(), expected), 8);
}

}  // namespace
}  // namespace neardup::text::normalizer_test
