// Pages and texts for which the system has no memory: refused, and the reader is as good as before.
#include "tests/refused_memory.h"

#include <gtest/gtest.h>
#include <unicode/uclean.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "neardup/text/charset.h"
#include "neardup/text/html/html.h"
#include "neardup/text/seven_bits.h"

namespace neardup::text::refused_memory_test {
namespace {

// Of elements that lexbor keeps in tables of their own, with names that it does not know, misnested, long.
std::string some_page() {
  std::string page = "<!doctype html><html lang=en><head><title>A page</title></head><body><h1>Title</h1>";
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    page += "<p class='c" + number + "'>Paragraph " + number + " <a href=x>of <b>some</a> words</b> &amp; more.";
    page += "<own-" + number + " data-" + number + "=1>named</own-" + number + ">";
  }
  page += "<template><p>kept</template><svg><path d=x /></svg><table>";
  for (int i = 0; i < 60; ++i) page += "<tr><td>" + std::to_string(i) + "</td>text in a table</tr>";
  return page + "</table><select><option>one</select><p>" + std::string(20'000, 'x') + "</p></body></html>";
}

std::string read_by(HtmlReader& reader, const std::string& page) {
  HtmlPage out;
  reader.read(page, {}, out);
  EXPECT_TRUE(out.complete);
  return out.text;
}

TEST(HtmlMemory, APageIsReadOrRefused) {
  const std::string page = some_page(), other = "<p>Another page of a few words.</p>";
  HtmlReader whole;
  const std::string right = read_by(whole, page), right_of_other = read_by(whole, other);
  ASSERT_GT(right.size(), 20'000u);
  const int64_t step = torture_seed() ? 1 : 3;
  int64_t num_refused = 0;
  refuse_each(step, [&](int64_t n) {
    HtmlReader reader;
    std::string text;
    bool was_refused = false;
    {
      const RefusedMemory refused(n);
      try {
        text = read_by(reader, page);
      } catch (const std::bad_alloc&) {
        ++num_refused;
      }
      was_refused = refused.was_refused();
      RefusedMemory::stop();
    }
    EXPECT_TRUE(text.empty() || text == right) << n;
    EXPECT_EQ(read_by(reader, page), right) << n;
    EXPECT_EQ(read_by(reader, other), right_of_other) << n;
    return was_refused;
  });
  EXPECT_GT(num_refused, 5);
}

// Documents are used again from page to page.
TEST(HtmlMemory, APageAfterOthersIsReadOrRefused) {
  const std::string page = some_page(), other = "<p>Another page of a few words.</p>";
  HtmlReader reader;
  const std::string right = read_by(reader, page);
  const int64_t pieces = refuse_each(1, [&](int64_t n) {
    EXPECT_EQ(read_by(reader, other), "Another page of a few words.\n") << n;
    bool was_refused = false;
    try {
      const RefusedMemory refused(n);
      EXPECT_EQ(read_by(reader, page), right) << n;
      was_refused = refused.was_refused();
    } catch (const std::bad_alloc&) {
      was_refused = true;
    }
    return was_refused;
  });
  EXPECT_GT(pieces, 10);
}

std::atomic<int64_t> icu_taken = 0, icu_held = 0;  // pieces
std::atomic<bool> is_refused_to_icu = false;       // as to others

bool is_refused_now(size_t bytes) { return is_refused_to_icu && RefusedMemory::refuses(bytes); }

void* take_counted(const void*, size_t bytes) {
  if (is_refused_now(bytes)) return nullptr;
  ++icu_taken;
  ++icu_held;
  return std::malloc(bytes);
}

void* resize_counted(const void*, void* piece, size_t bytes) {
  if (is_refused_now(bytes)) return nullptr;
  if (piece == nullptr) ++icu_held;
  return std::realloc(piece, bytes);
}

void give_back_counted(const void*, void* piece) {
  if (piece != nullptr) --icu_held;
  std::free(piece);
}

// As a program does that has memory of its own for ICU: before what the library makes for itself at the start.
[[gnu::constructor(101)]] void set_memory_of_icu() {
  UErrorCode error = U_ZERO_ERROR;
  u_setMemoryFunctions(nullptr, &take_counted, &resize_counted, &give_back_counted, &error);
}

TEST(IcuMemory, ItsFunctionsAreThoseOfWhoLinksTheLibrary) {
  const int64_t before = icu_taken;
  Decoder decoder;
  std::string out;
  EXPECT_EQ(decoder.decode("\x82\xA0\x82\xA2", "shift_jis", out), "あい");
  EXPECT_GT(icu_taken, before);
}

constexpr std::u16string_view kHan = u"港务局周二宣布因例行检查发现两根支柱出现裂缝北码头将关闭三周";

// Three characters in UTF-7.
std::string run_of(char16_t a, char16_t b, char16_t c) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint64_t bits = uint64_t{a} << 32 | uint64_t{b} << 16 | c;
  std::string run;
  for (int shift = 42; shift >= 0; shift -= 6) run += kDigits[bits >> shift & 63];
  return run;
}

TEST(IcuMemory, ATextInUtf7IsReadOrRefused) {
  const std::string bytes = "+" + run_of(u'港', u'务', u'局') + "- +" + run_of(u'周', u'二', u'宣') + "- +" +
                            run_of(u'布', u'因', u'例') + "-";
  const std::string right = "港务局 周二宣 布因例";
  std::string whole;
  ASSERT_EQ(Decoder().decode(bytes, "", whole), right);
  int64_t num_refused = 0;
  const int64_t pieces = refuse_each(1, [&](int64_t n) {
    const int64_t held = icu_held;
    bool was_refused = false;
    try {
      Decoder decoder;
      std::string out;
      is_refused_to_icu = true;
      const RefusedMemory refused(n);
      const std::string_view text = decoder.decode(bytes, "", out);
      was_refused = refused.was_refused();
      RefusedMemory::stop();
      EXPECT_EQ(text, right) << n;
    } catch (const std::bad_alloc&) {
      was_refused = true;
      ++num_refused;
    }
    is_refused_to_icu = false;
    EXPECT_EQ(icu_held, held) << n;
    return was_refused;
  });
  EXPECT_GT(pieces, 10);
  EXPECT_GT(num_refused, 8);
}

TEST(Utf7Memory, OfManyRunsThoseOfTheBeginningAreHeld) {
  std::string bytes;
  for (const char16_t a : kHan)
    for (const char16_t b : kHan)
      for (const char16_t c : kHan) bytes += "+" + run_of(a, b, c) + "- ";
  {
    const RefusedMemory refused(5'000);
    EXPECT_EQ(seven_bit_encoding(bytes), "UTF-7");
    EXPECT_FALSE(refused.was_refused());
  }
  EXPECT_EQ(seven_bit_encoding(bytes + "a+b"), "") << "the others are read";
  EXPECT_EQ(seven_bit_encoding(bytes + "+" + run_of(u'港', u'\xDC00', u'局')), "");
}

TEST(Utf7Memory, SoAreTheLettersOfALongOne) {
  std::string bytes = "+";
  for (int i = 0; i < 200'000; ++i) bytes += run_of(u'港', u'务', u'局');
  {
    const RefusedMemory refused(1, size_t{1} << 20);
    EXPECT_EQ(seven_bit_encoding(bytes), "UTF-7");
    EXPECT_FALSE(refused.was_refused());
  }
  EXPECT_EQ(seven_bit_encoding(bytes + run_of(u'港', u'\xDC00', u'局')), "");
}

}  // namespace
}  // namespace neardup::text::refused_memory_test
