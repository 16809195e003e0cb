#include "neardup/recipe/short_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "neardup/recipe/fingerprinter.h"
#include "neardup/token/short_text.h"

namespace neardup::recipe {
namespace {

std::vector<uint32_t> features_of(std::string_view text, const std::string& cjk = "characters") {
  Recipe recipe = *find_recipe("default");
  recipe.family = Family::kMinHash;
  recipe.cjk = cjk;
  auto fingerprinter = Fingerprinter::create(recipe, nullptr);
  EXPECT_TRUE(fingerprinter);
  TextFingerprint text_fingerprint;
  fingerprinter->fingerprint(text, text_fingerprint);
  return text_fingerprint.short_text;
}

std::vector<uint32_t> grams_of(std::string_view text, const std::string& cjk = "characters") {
  const std::vector<uint32_t> row = features_of(text, cjk);
  const auto grams = token::read_short_text(row).grams;
  return {grams.begin(), grams.end()};
}

std::string words_of(std::string_view text) {
  const std::vector<uint32_t> row = features_of(text);
  return std::string(token::read_short_text(row).words);
}

TEST(ShortText, CountsCharacterPairsOfUnspacedScriptsAndTriplesOfOthers) {
  EXPECT_EQ(grams_of("中国").size(), 2);    // " 中国", "中国"; behind "国 " there is nothing
  EXPECT_EQ(grams_of("中国人").size(), 3);  // " 中国", "中国", "国人"
  EXPECT_EQ(grams_of("cat").size(), 3);     // " ca", "cat", "at "
  EXPECT_EQ(grams_of("aaaa").size(), 3);    // " aa", "aaa", "aa "
}

TEST(ShortText, LooksAtTokensAlone) {
  EXPECT_EQ(features_of("Hello, world!"), features_of("hello  WORLD"));
  EXPECT_NE(features_of("hello world"), features_of("helloworld"));
  EXPECT_EQ(features_of("中国"), features_of("中國"));
  EXPECT_EQ(features_of("中国人民"), features_of("中国人民", "bigrams")) << "tokens may overlap";
}

TEST(ShortText, SpacesBetweenSyllablesOfHangulAreFree) {
  EXPECT_EQ(features_of("할 수 있다", "syllables"), features_of("할수 있다", "syllables"));
  EXPECT_EQ(grams_of("할 수", "syllables").size(), 2) << "as two characters of Chinese";
  EXPECT_NE(features_of("할 수 a", "syllables"), features_of("할 수a", "syllables"));
  EXPECT_NE(features_of("할 수 있다"), features_of("할수 있다")) << "only where syllables are tokens";
}

TEST(ShortText, SortsAndKeepsTheDigitsApart) {
  const auto a = features_of("order 12345 shipped"), b = features_of("order 12346 shipped"),
             c = features_of("order 1234 5 shipped");
  EXPECT_NE(a[0], b[0]);
  EXPECT_NE(a[0], c[0]);
  EXPECT_EQ(a[0], features_of("12345")[0]);
  const auto grams = grams_of("order 12345 shipped shipped");
  EXPECT_TRUE(std::is_sorted(grams.begin(), grams.end()));
  EXPECT_EQ(std::adjacent_find(grams.begin(), grams.end()), grams.end());
}

TEST(ShortText, KnowsWordsAndSingleCharacters) {
  EXPECT_EQ(words_of("C++ and: the Web-Site"), "c and the web site ");
  EXPECT_EQ(words_of("中国 mp3 です"), "中 国 mp 3 で す ");
  EXPECT_EQ(words_of("mips64el TOWN6月"), "mips 64el town 6 月 ");
  EXPECT_EQ(words_of("ไม่ ok"), "ไ ม่ ok ");
}

TEST(ShortText, LeavesOrnamentsOut) {
  EXPECT_EQ(words_of("Breaking: stocks fall"), "stocks fall ");
  EXPECT_EQ(words_of("Stocks fall - BBC News"), "stocks fall ");
  EXPECT_EQ(words_of("breaking stocks"), "breaking stocks ") << "no part of its own";
  EXPECT_EQ(words_of("(Photo)"), "photo ") << "all there is";
  EXPECT_EQ(words_of("价格待定(组图)"), "价 格 待 定 ");
  EXPECT_EQ(words_of("图文-大选"), "大 选 ");
  EXPECT_EQ(words_of("城市地图"), "城 市 地 图 ");
  EXPECT_EQ(words_of("GNU C preprocessor (cpp)"), "gnu c preprocessor ");
  EXPECT_EQ(words_of("World Health Organization (WHO) meets"), "world health organization meets ");
  EXPECT_EQ(words_of("a codec for texts (dev)"), "a codec for texts dev ");
  EXPECT_EQ(words_of("document click based applications (docs)"), "document click based applications docs ");
}

bool is_short(std::string_view text) { return !features_of(text, "syllables").empty(); }

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(ShortText, IsAsLongInEveryScript) {
  for (const auto& [character, count] :
       {std::pair("中", 32), {"한", 32}, {"の", 48}, {"ก", 64}, {"ກ", 64}, {"က", 64}}) {
    EXPECT_TRUE(is_short(repeated(character, count - 1))) << character;
    EXPECT_FALSE(is_short(repeated(character, count))) << character;
  }
  EXPECT_TRUE(is_short(repeated("中", 29) + " one"));
  EXPECT_FALSE(is_short(repeated("中", 30) + " one"));
  EXPECT_FALSE(features_of(repeated("中", 31), "bigrams").empty());
}

TEST(ShortText, KnowsTheDigitsOfEveryScript) {
  EXPECT_NE(features_of("الفصل ١٢")[0], features_of("الفصل ١٣")[0]);
  EXPECT_NE(features_of("अध्याय १२")[0], features_of("अध्याय १३")[0]);
  EXPECT_EQ(features_of("الفصل ١٢")[0], features_of("12")[0]);
  EXPECT_NE(features_of("法律第十二条")[0], features_of("法律第十三条")[0]);
  EXPECT_NE(features_of("一百万元")[0], features_of("一百亿元")[0]);
  EXPECT_NE(features_of("½ cup")[0], features_of("¼ cup")[0]);
  EXPECT_NE(features_of("10⁵ ways")[0], features_of("10⁶ ways")[0]);
}

TEST(ShortText, IsOfTextsBelowTheLimitThatHaveTokens) {
  std::string text;
  for (int i = 0; i < 15; ++i) text += "word" + std::to_string(i) + " ";
  EXPECT_FALSE(features_of(text).empty());
  EXPECT_TRUE(features_of(text + "one").empty());
  EXPECT_TRUE(features_of("").empty());
  EXPECT_TRUE(features_of("!?").empty());
  EXPECT_FALSE(features_of("x").empty());
}

}  // namespace
}  // namespace neardup::recipe
