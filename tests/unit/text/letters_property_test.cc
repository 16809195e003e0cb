// Every character there is, and any text: what the folding of letters, characters, references and misread text promise.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <random>
#include <string>

#include "neardup/text/charset.h"
#include "neardup/text/extract.h"
#include "neardup/text/han_fold.h"
#include "neardup/text/letters.h"
#include "neardup/text/mojibake.h"
#include "neardup/text/normalizer.h"
#include "neardup/text/quoted_printable.h"
#include "neardup/text/quotes.h"
#include "neardup/text/references.h"
#include "neardup/text/utf8.h"

namespace neardup::text::letters_property_test {
namespace {

std::string utf8_of(char32_t c) {
  uint32_t size_bytes = 0;
  const uint32_t word = encode(c, size_bytes);
  return {reinterpret_cast<const char*>(&word), size_bytes};
}

bool is_scalar(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

std::string letter_of(const FoldedLetter& folded) {
  return {reinterpret_cast<const char*>(&folded.bytes), folded.size_bytes};
}

bool is_valid_utf8(std::string_view text) {
  for (const char* at = text.data(); at < text.data() + text.size();) {
    const Decoded decoded = decode(at, text.data() + text.size());
    if (!decoded.valid) return false;
    at += decoded.size_bytes;
  }
  return true;
}

std::string normalized(std::string_view text, Normalization normalization, bool fold_han = false) {
  NormalizeOptions options;
  options.normalization = normalization;
  options.fold_han = fold_han;
  Normalizer normalizer(options);
  std::string out;
  normalizer.normalize(text, out);
  return out;
}

TEST(FoldEveryLetter, AsciiIsItselfAndAllElseIsShortUtf8) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar(c)) continue;
    const FoldedLetter folded = fold_letter(c);
    ASSERT_LE(folded.size_bytes, 4U);
    ASSERT_TRUE(c >= 0x80 || letter_of(folded) == utf8_of(c));
    ASSERT_TRUE(is_valid_utf8(letter_of(folded))) << static_cast<uint32_t>(c);
  }
}

struct LetterRow {
  const char* letters;  // each counts as `one`
  const char* one;
};

TEST(FoldEveryLetter, TheTableOfTheHeader) {
  for (const LetterRow& row : {LetterRow{"áàâäãåāăą", "a"},
                               {"éèêëēęě", "e"},
                               {"łľĺ", "l"},
                               {"øöóòôõ", "o"},
                               {"άὰ", "α"},
                               {"ёѐ", "е"},
                               {"ѝ", "и"},
                               {"й", "й"},
                               {"أإآٱ", "ا"},
                               {"ىی", "ي"},
                               {"ک", "ك"},
                               {"ةہ", "ه"},
                               {"ـ", ""},
                               {"\u0301\u0308\u036f", ""},
                               {"٣۳३", "3"},
                               {"ʼ", "'"}}) {
    const std::string_view letters = row.letters;
    for (size_t at = 0; at < letters.size();) {
      const Decoded decoded = decode(letters.data() + at, letters.data() + letters.size());
      EXPECT_EQ(letter_of(fold_letter(decoded.code_point)), row.one)
          << letters.substr(at, decoded.size_bytes) << " U+" << std::hex << static_cast<uint32_t>(decoded.code_point);
      at += decoded.size_bytes;
    }
  }
}

TEST(FoldEveryHan, OnlyHanAndOnceForAll) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar(c)) continue;
    const char32_t folded = fold_han(c);
    ASSERT_TRUE(c >= 0x2E80 || folded == c);
    ASSERT_EQ(fold_han(folded), folded) << static_cast<uint32_t>(c);
    ASSERT_TRUE(!folds_in_place(c) || (folded != c && utf8_of(folded).size() == 3 && utf8_of(c).size() == 3));
  }
}

TEST(FoldEveryHan, InPlaceCountsWhatItFolds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text, expected;
    uint64_t num_han = 0;
    for (size_t i = random() % 40; i > 0; --i) {
      const auto c = static_cast<char32_t>(random() % 3 == 0 ? 'a' + random() % 26 : 0x4E00 + random() % 0x5200);
      num_han += c >= 0x4E00 && c <= 0x9FFF;
      text += utf8_of(c);
      expected += utf8_of(folds_in_place(c) ? fold_han(c) : c);
    }
    const HanFolded folded = fold_han_in_place(text);
    EXPECT_EQ(text, expected);
    EXPECT_EQ(folded.num_han, num_han);
    EXPECT_LE(folded.num_traditional, num_han);
  }
}

TEST(NameOfTheHanTable, IsSixteenDigits) {
  EXPECT_EQ(han_table_id().size(), 16U);
  EXPECT_EQ(han_table_id().find_first_not_of("0123456789abcdef"), std::string_view::npos);
}

RC_GTEST_PROP(NormalizeAny, IsValidUtf8AndNormalizedOnceForAll, (const std::string& text, bool fold_han)) {
  for (const Normalization kind : {Normalization::kNfkcCasefold, Normalization::kFolded, Normalization::kNone}) {
    const std::string once = normalized(text, kind, fold_han);
    RC_ASSERT(is_valid_utf8(once));
    if (kind != Normalization::kFolded) RC_ASSERT(normalized(once, kind, fold_han) == once);
    RC_ASSERT(once.find("  ") == std::string::npos);
    // In parentheses: RC_ASSERT looks at both sides of an || of its own.
    RC_ASSERT((once.empty() || (once.front() != ' ' && once.back() != ' ')));
  }
}

RC_GTEST_PROP(NormalizeAny, OneObjectForManyTextsIsLikeOneForEach, (const std::vector<std::string>& texts)) {
  Normalizer normalizer;
  std::string out;
  for (const std::string& text : texts) {
    normalizer.normalize(text, out);
    RC_ASSERT(out == normalized(text, Normalization::kNfkcCasefold));
  }
}

RC_GTEST_PROP(ReferencesInAny, AreNeverLongerAndSayWhereThereAreNone, (const std::string& text)) {
  std::string out = "left over";
  const bool replaced = replace_references(text, out);
  RC_ASSERT(replaced || out == "left over");
  RC_ASSERT(!replaced || out.size() <= text.size());
  RC_ASSERT(text.find('&') != std::string::npos || !replaced);
}

TEST(ReferencesByNumber, EveryCharacterComesBackFromBothForms) {
  for (char32_t c = 0xA0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 257) {
    if (!is_scalar(c) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) continue;
    char hex[16];
    std::snprintf(hex, sizeof hex, "&#x%X;", static_cast<unsigned>(c));
    std::string out;
    ASSERT_TRUE(replace_references("a " + std::string(hex) + " b", out)) << hex;
    EXPECT_EQ(out, "a " + utf8_of(c) + " b");
    ASSERT_TRUE(replace_references("&#" + std::to_string(static_cast<uint32_t>(c)) + ";", out));
    EXPECT_EQ(out, utf8_of(c));
  }
}

TEST(MisreadText, OfEveryTwoByteLetterComesBack) {
  for (char32_t c = 0xC0; c < 0x180; ++c) {
    // Each byte read as Latin-1 and written as UTF-8; three such letters, as single ones may be meant.
    std::string misread;
    const std::string word = utf8_of(c) + utf8_of(0xE9) + utf8_of(0xE8);
    bool is_known = true;
    for (const char byte : word) {
      const auto value = static_cast<uint8_t>(byte);
      is_known = is_known && (value < 0x80 || value >= 0xA0);
      misread += utf8_of(value);
    }
    if (!is_known) continue;
    std::string out;
    ASSERT_TRUE(repair_mojibake("word " + misread + " word", out)) << word;
    EXPECT_EQ(out, "word " + word + " word");
  }
}

RC_GTEST_PROP(MisreadTextOfAny, IsNeverLongerAndAsciiNeverChanges, (const std::string& text)) {
  std::string valid = normalized(text, Normalization::kNone), out = "left over";
  const bool repaired = repair_mojibake(valid, out);
  RC_ASSERT(!repaired || out.size() <= valid.size());
  RC_ASSERT(repaired || out == "left over");
  std::string ascii;
  for (const char byte : text) ascii += static_cast<char>(byte & 0x7F);
  RC_ASSERT(!repair_mojibake(ascii, out));
}

TEST(QuotedPrintable, DecodesWhatAPlainEncoderWrites) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    std::string text, encoded;
    for (size_t i = random() % 60; i > 0; --i) {
      const auto byte = static_cast<char>(random() % 4 == 0 ? '=' : 0x20 + random() % 0x5F);
      text += byte;
      encoded += byte == '=' ? "=3D" : std::string(1, byte);
      if (random() % 9 == 0) encoded += "=\n";
    }
    std::string out = "left over";
    decode_quoted_printable(encoded, out);
    EXPECT_EQ(out, text);
  }
}

RC_GTEST_PROP(QuotesInAny, LeaveOutLinesAlone, (const std::string& text)) {
  std::string out;
  const size_t left_out = leave_out_quotes(text, out);
  RC_ASSERT(left_out > 0 || out.empty());
  RC_ASSERT(out.size() <= text.size());
  RC_ASSERT(left_out <= static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
}

RC_GTEST_PROP(DecodeAnyBytes, UnderAnyLabelIsUtf8OrTheBytes, (const std::string& bytes)) {
  Decoder decoder;
  std::string out;
  for (const char* label : {"", "latin1", "gb2312", "shift_jis", "utf-16le", "koi8-r", "no such label"}) {
    const std::string_view decoded = decoder.decode(bytes, label, out);
    RC_ASSERT(encoding_names().find(decoder.encoding()) != std::string_view::npos);
    RC_ASSERT(decoder.encoding() == "UTF-8" || decoder.has_failed() || is_valid_utf8(decoded));
  }
}

TEST(LabelsOfEncodings, EachNameMeansItself) {
  for (const char* name : {"UTF-8", "GB18030", "windows-1252", "Shift_JIS", "Big5", "EUC-JP", "EUC-KR", "KOI8-R"}) {
    EXPECT_EQ(encoding_of_label(name), name);
    std::string upper = name, lower = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_EQ(encoding_of_label(upper), name);
    EXPECT_EQ(encoding_of_label("  " + lower + "\t"), name) << "white space around counts for nothing";
  }
  for (const char* name : {"", "utf", "utf-99", "klingon"}) EXPECT_EQ(encoding_of_label(name), "") << name;
}

// Every byte of single-byte encodings that is a letter in them decodes to one character.
TEST(SingleByteEncodings, GiveOneCharacterForEachByte) {
  for (const char* label : {"windows-1250", "windows-1251", "windows-1253", "iso-8859-2", "iso-8859-5", "koi8-u"}) {
    Decoder decoder;
    std::string out;
    for (int byte = 0xC0; byte < 0x100; ++byte) {
      const std::string bytes = "plain ascii words " + std::string(1, static_cast<char>(byte)) + " and more of them";
      const std::string text(decoder.decode(bytes, label, out));
      ASSERT_EQ(decoder.encoding(), encoding_of_label(label));
      const std::string middle = text.substr(18, text.size() - bytes.size() + 1);
      const Decoded decoded = decode(middle.data(), middle.data() + middle.size());
      EXPECT_TRUE(decoded.valid) << label << " " << byte;
      EXPECT_EQ(decoded.size_bytes, middle.size()) << label << " " << byte;
    }
  }
}

TEST(ExtractBounds, GrowWithTheDocument) {
  ExtractOptions options{.extraction = Extraction::kAuto, .mask = 63, .own_lines = true};
  uint64_t copies = 0, tree = 0;
  for (uint64_t bytes = 1; bytes < uint64_t{1} << 32; bytes *= 3) {
    EXPECT_GE(extracted_copies_bytes(options, bytes), copies);
    EXPECT_GE(page_tree_bytes(bytes), tree);
    copies = extracted_copies_bytes(options, bytes), tree = page_tree_bytes(bytes);
    EXPECT_EQ(extracted_copies_bytes({}, bytes), 0U) << "nothing is done, nothing is taken";
  }
  for (const uint64_t memory : {uint64_t{1} << 20, uint64_t{1} << 24, uint64_t{1} << 28})
    EXPECT_LE(page_tree_bytes(longest_page_bytes(memory)), memory);
}

RC_GTEST_PROP(ExtractFromAny, NoneLeavesTheBytesAndOthersEndInUtf8OrThem, (const std::string& bytes)) {
  Extract none{ExtractOptions()};
  const Extracted same = none.from(bytes);
  RC_ASSERT(same.text == bytes);
  RC_ASSERT(!same.is_page && same.complete && same.encoding.empty());
  Extract all(ExtractOptions{.extraction = Extraction::kAuto, .mask = 63, .own_lines = true});
  const Extracted found = all.from(bytes);
  RC_ASSERT(!found.encoding.empty());
  RC_ASSERT(found.leaves_out() || found.text == found.whole_text);
}

}  // namespace
}  // namespace neardup::text::letters_property_test
