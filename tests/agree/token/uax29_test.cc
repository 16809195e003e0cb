// Our word boundaries against ICU's break iterator (root locale).
#include "neardup/token/uax29.h"

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace neardup::token {
namespace {

std::string to_utf8(char32_t c) {
  std::string out;
  return icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(out);
}

class Icu {
 public:
  Icu() { iterator_.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error_)); }

  std::vector<size_t> boundaries(const std::string& text) {
    UText* view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error_);
    iterator_->setText(view, error_);
    std::vector<size_t> all;
    for (int32_t at = iterator_->next(); at != icu::BreakIterator::DONE; at = iterator_->next()) {
      all.push_back(static_cast<size_t>(at));
    }
    utext_close(view);
    return all;
  }

 private:
  UErrorCode error_ = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> iterator_;
};

std::vector<size_t> ours(const std::string& text) {
  std::vector<size_t> all;
  for (size_t at = 0; at < text.size();) all.push_back(at = next_word_boundary(text, at));
  return all;
}

/// What ICU's root locale changes in UAX #29: it gives scripts to dictionaries, parts Hangul from other letters, takes
/// the colon and its forms out of MidLetter, and joins words at "@".
bool is_tailored(UChar32 c) {
  const auto script = static_cast<UScriptCode>(u_getIntPropertyValue(c, UCHAR_SCRIPT));
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         script == USCRIPT_HANGUL || u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_KATAKANA ||
         u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT || c == ':' || c == 0xFE55 || c == 0xFF1A ||
         c == '@' || c == 0xFE6B || c == 0xFF20;
}

void check_random(const std::vector<std::string>& alphabet, int rounds, size_t max_size) {
  Icu icu;
  std::mt19937_64 rng(11);
  for (int i = 0; i < rounds; ++i) {
    std::string text;
    for (size_t j = 0, size = 1 + rng() % max_size; j < size; ++j) text += alphabet[rng() % alphabet.size()];
    ASSERT_EQ(ours(text), icu.boundaries(text)) << testing::PrintToString(text) << text;
  }
}

/// Characters of each value of Word_Break, several of each, and of neighbouring properties.
std::vector<std::string> nasty_alphabet() {
  return {"a",      "é",      "д",      "א",      "ש",      "1",      "٣",      "_",      "\u203F", "'",
          "\"",     ".",      ",",      ";",      "·",      "\u2019", "\u2024", "\u066C", " ",      "\u3000",
          "\u2003", "\t",     "\r",     "\n",     "\u0085", "\u2028", "\u0301", "\u200D", "\u200C", "\uFE0F",
          "\u00AD", "\u200E", "\u0600", "😀",      "👩",      "❤",      "🏽",   "🇩",      "🇪",      "\u20E3",
          "ℹ",      "Ⓜ",      "क",      "\u093F", "\u094D", "-",      "$",      "\u200B", "ﬁ",      "½"};
}

TEST(WordBoundaries, EveryPairAndTripleOfTheNastyAlphabet) {
  const std::vector<std::string> alphabet = nasty_alphabet();
  Icu icu;
  for (const std::string& a : alphabet) {
    for (const std::string& b : alphabet) {
      for (const std::string& c : alphabet) {
        const std::string text = a + b + c;
        ASSERT_EQ(ours(text), icu.boundaries(text)) << testing::PrintToString(text);
      }
    }
  }
}

TEST(WordBoundaries, RandomStringsOfTheNastyAlphabet) { check_random(nasty_alphabet(), 40000, 30); }

TEST(WordBoundaries, RandomStringsOfLettersAndMiddles) {
  check_random({"a", "א", "1", "'", "\"", ".", ",", "\u0301", "\u200D", "_", "·"}, 40000, 12);
}

TEST(WordBoundaries, EveryCodePointInContext) {
  Icu icu;
  for (UChar32 c = 0; c < 0x20000; ++c) {
    if (U_IS_SURROGATE(c) || is_tailored(c) || !u_isdefined(c)) continue;
    const std::string one = to_utf8(static_cast<char32_t>(c));
    const std::string text = "a" + one + "b 1" + one + "2א" + one + "א" + one + one + " \u200D" + one + "_" + one;
    ASSERT_EQ(ours(text), icu.boundaries(text)) << std::hex << c;
  }
}

TEST(WordBoundaries, WhereIcuDiffersWeFollowTheAnnex) {
  EXPECT_EQ(ours("k:a 1:2"), (std::vector<size_t>{3, 4, 5, 6, 7}));     // the colon is MidLetter
  EXPECT_EQ(ours("a@b"), (std::vector<size_t>{1, 2, 3}));               // "@" is Other
  EXPECT_EQ(ours("a한글1"), (std::vector<size_t>{8}));                  // Hangul is ALetter
  EXPECT_EQ(ours("カタカナ_1 カ"), (std::vector<size_t>{14, 15, 18}));  // Katakana stays together
  EXPECT_EQ(ours("中文"), (std::vector<size_t>{3, 6}));
}

}  // namespace
}  // namespace neardup::token
