// What the tokenizer "words" makes of scripts around the world.
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "neardup/text/normalizer.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

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

TEST(Languages, DecomposedTextsGiveTheTokensOfComposedOnes) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  const auto in = [&](const icu::Normalizer2* form, const std::string& text) {
    std::string out;
    return form->normalize(icu::UnicodeString::fromUTF8(text), error).toUTF8String(out);
  };
  for (const std::string text : {"Việt Nam: phở và đường", "École naïve, garçon", "Ёлка, чай и йод", "Ἀθῆναι, ᾍδης, ΐ",
                                 "السَّلامُ عَلَيْكُمْ آمن", "שָׁלוֹם עוֹלָם, בְּרֵאשִׁית", "क़लम, हिन्दी, को", "ভাষা কো", "한국어를 각",
                                 "がぎぐ パソコン", "น้ำ ภาษา", "Ångström, Zażółć, ő"}) {
    EXPECT_EQ(words(in(nfd, text)), words(in(nfc, text))) << text;
    EXPECT_EQ(words(in(nfd, text)), words(text)) << text;
    EXPECT_FALSE(words(text).empty());
  }
}

TEST(Languages, FormsOfOneLetterFold) {
  EXPECT_EQ(words("ﺍﻟﺴﻼﻡ"), (Strings{"السلام"})) << "Arabic presentation forms";
  EXPECT_EQ(words("STRASSE straße Straße"), (Strings{"strasse", "strasse", "strasse"}));
  EXPECT_EQ(words("ΣΟΦΌΣ σοφός"), (Strings{"σοφόσ", "σοφόσ"}));
  EXPECT_EQ(words("می\u200Cخواهم"), (Strings{"میخواهم"})) << "a joiner is no border";
  EXPECT_EQ(words("ﬁn № １２"), (Strings{"fin", "no", "12"}));
  EXPECT_EQ(words("Dış IRMAK"), (Strings{"dış", "irmak"})) << "Turkish: the dotless i is a letter of its own";
}

TEST(Languages, MarksStayWithTheirLetters) {
  EXPECT_EQ(words("שָׁלוֹם"), (Strings{"שָׁלוֹם"}));
  EXPECT_EQ(words("कि की कु क्ष"), (Strings{"कि", "की", "कु", "क्ष"}));
  EXPECT_EQ(words("தமிழ் മലയാളം"), (Strings{"தமிழ்", "മലയാളം"}));
  EXPECT_EQ(words("за\u0301мок"), (Strings{"за\u0301мок"}));
}

TEST(Languages, EmojiAreNoWordsAndSeparate) {
  EXPECT_EQ(words("a👨\u200D👩\u200D👧b ❤\uFE0F 👍🏽 🇩🇪"), (Strings{"a", "b"}));
  EXPECT_EQ(words("👨\u200D👩\u200D👧"), Strings{});
}

TEST(Languages, DirectionsMix) {
  EXPECT_EQ(words("abc \u202Eאבג 123\u202C def \u2067مرحبا\u2069!"), (Strings{"abc", "אבג", "123", "def", "مرحبا"}));
}

TEST(Languages, MixedTextKeepsAllItsParts) {
  EXPECT_EQ(words("iPhone手機 дом 집 ไทย שלום 42"), (Strings{"iphone", "手机", "дом", "집", "ไท", "ทย", "שלום", "42"}));
}

}  // namespace
}  // namespace neardup::token
