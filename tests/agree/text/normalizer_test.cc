// The fast normaliser against ICU, code point by code point and on texts made of awkward characters.
#include "neardup/text/normalizer.h"

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <vector>

#include "neardup/text/han_fold.h"
#include "neardup/text/letters.h"
#include "neardup/text/look_alikes.h"
#include "neardup/text/mojibake.h"
#include "neardup/text/references.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

std::string to_utf8(const icu::UnicodeString& text) {
  std::string out;
  return text.toUTF8String(out);
}

std::string to_utf8(char32_t c) { return to_utf8(icu::UnicodeString(static_cast<UChar32>(c))); }

/// Whether it is a number that NFKC makes another one of, or stands among such signs.
bool is_kept(UChar32 c) {
  const int form = u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE);
  const bool folds = form == U_DT_SUPER || form == U_DT_SUB || form == U_DT_FRACTION || form == U_DT_CIRCLE;
  return (folds && u_charType(c) == U_OTHER_NUMBER) || ublock_getCode(c) == UBLOCK_SUPERSCRIPTS_AND_SUBSCRIPTS;
}

/// ICU's NFKC_Casefold of what lies between two such numbers.
icu::UnicodeString nfkc_casefolded(const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString all, between;
  const auto end_part = [&] {
    all += icu::Normalizer2::getNFKCCasefoldInstance(error)->normalize(between, error);
    between.remove();
  };
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 c = text.char32At(at);
    if (!is_kept(c)) {
      between.append(c);
      continue;
    }
    end_part();
    all.append(c);
  }
  end_part();
  return all;
}

/// Each letter of `text` folded by itself.
icu::UnicodeString folded(const icu::UnicodeString& text, const NormalizeOptions& options) {
  std::string out;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    auto c = static_cast<char32_t>(text.char32At(at));
    if (options.fold_han) c = fold_han(c);
    const FoldedLetter letter = fold_letter(c);
    out.append(reinterpret_cast<const char*>(&letter.bytes), letter.size_bytes);
  }
  return icu::UnicodeString::fromUTF8(out);
}

/// The slowest obvious way: ICU repairs while it converts to UTF-16, then does the whole text at once.
std::string expected(std::string_view bytes, const NormalizeOptions& options) {
  const bool folds = options.normalization == Normalization::kFolded;
  std::string replaced, repaired, scratch;
  if (folds && replace_references(bytes, replaced)) bytes = replaced;
  if (folds && repair_mojibake(bytes, repaired)) bytes = repaired;
  icu::UnicodeString text = icu::UnicodeString::fromUTF8({bytes.data(), static_cast<int32_t>(bytes.size())});
  if (options.normalization != Normalization::kNone) {
    text = nfkc_casefolded(text);
  }
  // Twice, as letters may compose when what stood between them is gone.
  for (int i = 0; folds && i < 2; ++i) text = nfkc_casefolded(folded(text, options));
  icu::UnicodeString result;
  bool after_space = true;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    UChar32 c = text.char32At(at);
    if (options.fold_han) c = static_cast<UChar32>(fold_han(static_cast<char32_t>(c)));
    const bool space = options.collapse_space && u_isUWhiteSpace(c) != 0;
    if (!(space && after_space)) result.append(space ? ' ' : c);
    after_space = space;
  }
  if (options.collapse_space && result.endsWith(u" ", 1)) result.truncate(result.length() - 1);
  std::string out = to_utf8(result);
  if (folds) unmix_words(out, scratch);
  return out;
}

class Agreement : public testing::TestWithParam<NormalizeOptions> {
 protected:
  void check(const std::string& text) {
    normalizer_.normalize(text, out_);
    if (out_ != expected(text, GetParam())) {
      ASSERT_EQ(out_, expected(text, GetParam())) << testing::PrintToString(text);
    }
  }

  std::string random_text(const std::vector<std::string>& alphabet, size_t max_size) {
    std::string text;
    const size_t size = rng_() % (max_size + 1);
    for (size_t i = 0; i < size; ++i) text += alphabet[rng_() % alphabet.size()];
    return text;
  }

  std::mt19937_64 rng_{7};
  Normalizer normalizer_{GetParam()};
  std::string out_;
};

TEST_P(Agreement, EveryCodePointAloneAndBetweenOthers) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c & 0xFFFFF800) == 0xD800 || (c > 0x32400 && c < 0xDFF00)) continue;
    const std::string one = to_utf8(c);
    // One text for all neighbours: a failure shows all of them, and ICU's price is paid once.
    check(one);
    check("A" + one + "B é" + one + "\u0301\u0327\n" + one + "\u3099か" + one + "\u093C\u1100" + one + "\u1161");
  }
}

TEST_P(Agreement, StringsOfAwkwardCharacters) {
  const std::vector<std::string> alphabet = {"a",
                                             "A",
                                             "é",
                                             "É",
                                             "e",
                                             " ",
                                             "\n",
                                             "\t ",
                                             "\u00A0",
                                             "\u3000",
                                             "\u2028",
                                             "\u0085",
                                             "\u00A8",
                                             "\u00B4",
                                             "\u0301",
                                             "\u0327",
                                             "\u0345",
                                             "\u0344",
                                             "\u0308",
                                             "\u200B",
                                             "\u200D",
                                             "\u00AD",
                                             "\uFE0F",
                                             "\u034F",
                                             "ß",
                                             "ŉ",
                                             "ﬁ",
                                             "½",
                                             "ａ",
                                             "か",
                                             "ｶ",
                                             "\uFF9E",
                                             "\u3099",
                                             "が",
                                             "\u1100",
                                             "\u1161",
                                             "\u11A8",
                                             "각",
                                             "가",
                                             "क",
                                             "\u093C",
                                             "\u094D",
                                             "\u09C7",
                                             "\u09BE",
                                             "\u0BC6",
                                             "\u0BBE",
                                             "\u0DD9",
                                             "\u0DCF",
                                             "ש",
                                             "\u05C1",
                                             "\u05BC",
                                             "\u0651",
                                             "\u064E",
                                             "ﷺ",
                                             "中",
                                             "國",
                                             "國",
                                             "㍿",
                                             "ก",
                                             "\u0E33",
                                             "\u0E38",
                                             "\u0E48",
                                             "\u0F73",
                                             "\u0F71",
                                             "\u0F72",
                                             "\U0001D157\U0001D165",
                                             "𝐀",
                                             "😀",
                                             "\U000E0001",
                                             "\U0002F800",
                                             "И",
                                             "и",
                                             "\u0306",
                                             "Ω",
                                             "\u0313",
                                             "\u03B9",
                                             "о",
                                             "Є",
                                             "o",
                                             "c",
                                             "\u0640",
                                             "ى",
                                             "ا",
                                             "\u0653",
                                             "٣",
                                             "Ø",
                                             "æ",
                                             "×",
                                             "Ã",
                                             "â€™",
                                             "&#233;",
                                             "&eacute;",
                                             "&amp;",
                                             "#1072;",
                                             "\xFF",
                                             "\xE4\xB8",
                                             "\xED\xA0\x80",
                                             "\xC0\x80",
                                             "\xF4\x90\x80\x80",
                                             "\xF0\x9F\x98",
                                             "\x80"};
  for (int i = 0; i < 60000; ++i) check(random_text(alphabet, i % 3 == 0 ? 40 : 6));
}

TEST_P(Agreement, RandomCodePoints) {
  std::vector<std::string> alphabet;
  for (int i = 0; i < 3000; ++i) {
    const auto c = static_cast<char32_t>(rng_() % (i % 2 == 0 ? 0x3200 : 0x20000));
    if ((c & 0xFFFFF800) != 0xD800) alphabet.push_back(to_utf8(c));
  }
  for (int i = 0; i < 20000; ++i) check(random_text(alphabet, 30));
}

TEST_P(Agreement, RandomBytes) {
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    const size_t size = rng_() % 24;
    // Leads and trails more often than they come by themselves.
    for (size_t j = 0; j < size; ++j)
      text += static_cast<char>(rng_() % 3 == 0 ? 0x80 + rng_() % 64 : 0xC0 + rng_() % 64);
    check(text);
  }
}

TEST_P(Agreement, AsciiOfEverySizeWithSpaces) {
  for (size_t size = 0; size < 300; ++size) {
    for (int i = 0; i < 20; ++i) {
      std::string text;
      for (size_t j = 0; j < size; ++j)
        text += rng_() % (i + 2) == 0 ? " \t\n\r\v\f"[rng_() % 6] : static_cast<char>(rng_() % 128);
      check(text);
      check(text + "é" + text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Options, Agreement,
    testing::Values(NormalizeOptions{}, NormalizeOptions{.collapse_space = false}, NormalizeOptions{.fold_han = true},
                    NormalizeOptions{.normalization = Normalization::kFolded, .collapse_space = false},
                    NormalizeOptions{.normalization = Normalization::kFolded, .fold_han = true},
                    NormalizeOptions{.normalization = Normalization::kNone},
                    NormalizeOptions{.normalization = Normalization::kNone, .collapse_space = false}));

}  // namespace
}  // namespace neardup::text
