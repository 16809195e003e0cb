// What the tokenizer "words" makes of scripts around the world.
#include <gtest/gtest.h>

#include "neardup/text/text.h"
#include "neardup/token/token.h"

namespace neardup::token {
namespace {

using Strings = std::vector<std::string>;

Strings words(const std::string& raw, CjkMode mode = CjkMode::kBigrams) {
  std::string text;
  text::Normalizer({.fold_han = true}).normalize(raw, text);
  std::vector<Token> tokens;
  Tokenizer::create({.cjk = mode}).value().tokenize(text, tokens);
  Strings strings;
  for (const Token& token : tokens) strings.push_back(text.substr(token.begin, token.size_bytes));
  return strings;
}

TEST(Languages, WordsBetweenSpacesStayWhole) {
  EXPECT_EQ(words("Ελλάδα, ΣΟΦΌΣ"), (Strings{"ελλάδα", "σοφόσ"})) << "Greek: final sigma folds";
  EXPECT_EQ(words("Ёлка и ЕЖ"), (Strings{"ёлка", "и", "еж"})) << "Russian";
  EXPECT_EQ(words("السَّلامُ عليكم"), (Strings{"السَّلامُ", "عليكم"})) << "Arabic with vowel marks";
  EXPECT_EQ(words("हिन्दी भाषा।"), (Strings{"हिन्दी", "भाषा"})) << "Hindi: vowel signs and virama are within words";
  EXPECT_EQ(words("한국어를 공부합니다."), (Strings{"한국어를", "공부합니다"})) << "Korean";
}

TEST(Languages, DecomposedHangulIsComposed) { EXPECT_EQ(words("한국"), words("\u1112\u1161\u11ab\u1100\u116e\u11a8")); }

TEST(Languages, ScriptsWithoutSpacesAreBigramsOfWholeLetters) {
  EXPECT_EQ(words("日本語です"), (Strings{"日本", "本语", "语で", "です"})) << "Han folds";
  EXPECT_EQ(words("ﾊﾟｿｺﾝ"), words("パソコン")) << "half-width katakana";
  EXPECT_EQ(words("ภาษาไทย"), (Strings{"ภา", "าษ", "ษา", "าไ", "ไท", "ทย"}));
  EXPECT_EQ(words("น้ำ", CjkMode::kCharacters).front().find("น้"), 0U) << "a tone mark stays with its letter";
}

TEST(Languages, MixedTextKeepsAllItsParts) {
  EXPECT_EQ(words("iPhone手機 дом 집 ไทย שלום 42"), (Strings{"iphone", "手机", "дом", "집", "ไท", "ทย", "שלום", "42"}));
}

}  // namespace
}  // namespace neardup::token
