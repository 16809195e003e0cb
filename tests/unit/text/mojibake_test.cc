#include "neardup/text/mojibake.h"

#include <gtest/gtest.h>

#include "neardup/text/cp1252.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

std::string repaired(std::string_view text) {
  std::string out;
  return repair_mojibake(text, out) ? out : std::string(text);
}

void append(char32_t c, std::string& out) {
  uint32_t size_bytes = 0;
  const uint32_t word = encode(c, size_bytes);
  out.append(reinterpret_cast<const char*>(&word), size_bytes);
}

std::string misread(std::string_view utf8, bool latin1) {
  std::string out;
  for (const char byte : utf8) {
    const auto c = static_cast<uint8_t>(byte);
    append(!latin1 && c >= 0x80 && c < 0xA0 ? kCp1252[c - 0x80] : char32_t{c}, out);
  }
  return out;
}

TEST(Mojibake, TextsOfEveryScriptComeBack) {
  for (const std::string text :
       {"Café – “naïve” don’t €5", "Größe überall, schön", "Zażółć gęślą jaźń", "Привет, мир! Как дела?",
        "Ελλάδα και Κύπρος", "שלום עולם", "السلام عليكم", "नमस्ते दुनिया", "中文新闻，今天。", "日本語のテキスト",
        "한국어 문장입니다", "ภาษาไทย", "Việt Nam", "😀 👍"}) {
    EXPECT_EQ(repaired(misread(text, false)), text);
    EXPECT_EQ(repaired(misread(text, true)), text);
  }
}

TEST(Mojibake, OneMisreadWordAmongOthers) {
  EXPECT_EQ(repaired("über CafÃ© größer"), "über Café größer");
  EXPECT_EQ(repaired("don’t donâ€™t"), "don’t don’t");
  EXPECT_EQ(repaired("zÅ‚oty"), "złoty");
  EXPECT_EQ(repaired("20Â°C"), "20°C");
}

TEST(Mojibake, TextsThatAreMeantStay) {
  for (const char* text : {"",
                           "plain",
                           "Café – “naïve” don’t €5",
                           "«CAFÉ»",
                           "«CAFÉ…»",
                           "VOILÀ…",
                           "«Voilà»",
                           "MAÃ»",
                           "NÃO, MAÇÃ”",
                           "3×²",
                           "É”",
                           "JOSÉ”",
                           "“OLÉ”",
                           "señor®",
                           "Größe, »schön«",
                           "fuß”",
                           "Ä–Ö",
                           "Zażółć gęślą jaźń",
                           "«Été»—«été»",
                           "Привет «мир»",
                           "中文，「新闻」",
                           "Škoda™",
                           "I’m “é”",
                           "l’été…",
                           "café…"}) {
    EXPECT_EQ(repaired(text), text);
  }
}

TEST(Mojibake, WholeTextsTellWhatOneWordCannot) {
  EXPECT_EQ(repaired("PÅ‚ OÅ‚"), "Pł Oł");
  EXPECT_EQ(repaired("PÅ‚ é OÅ‚"), "PÅ‚ é OÅ‚");
  EXPECT_EQ(repaired("MÃœNCHEN UND KÃ–LN"), "MÜNCHEN UND KÖLN");
}

/// What strict readers of code page 1252 make of it: five bytes are lost, or one sign for all.
std::string misread_strictly(std::string_view utf8, std::string_view lost) {
  std::string out;
  for (const char byte : utf8) {
    const auto c = static_cast<uint8_t>(byte);
    const bool is_open = c >= 0x80 && c < 0xA0 && kCp1252[c - 0x80] == c;
    is_open ? void(out += lost) : append(c >= 0x80 && c < 0xA0 ? kCp1252[c - 0x80] : char32_t{c}, out);
  }
  return out;
}

TEST(Mojibake, LostBytesAreGuessed) {
  for (const char* lost : {"\uFFFD", ""}) {
    EXPECT_EQ(repaired(misread_strictly("Россия и Москва, всё сразу", lost)), "Россис и Москва, всё сразу");
    EXPECT_EQ(repaired(misread_strictly("η πρώτη ημέρα του χρόνου", lost)), "η πρώτη ημέρα του χρόνου");
    EXPECT_EQ(repaired(misread_strictly("đề tài, người Việt", lost)), "đề tài, ngưềi Việt");
  }
  for (const char* text : {"ÑÜ ÖÄ", "SEÑOR\uFFFD", "Ñ\uFFFD", "É\uFFFD", "ÄÖÜ", "ÜÉ» ÖÉ»"})
    EXPECT_EQ(repaired(text), text);
}

TEST(Mojibake, AnyBytes) {
  EXPECT_EQ(repaired("\xFF\xC3\x83\xC2\xA9"), "\xFF\xC3\x83\xC2\xA9") << "not UTF-8: not misread";
  EXPECT_EQ(repaired("\xC3"), "\xC3");
  EXPECT_EQ(repaired("Ã"), "Ã");
}

TEST(Mojibake, LongRunsTakeLinearTime) {
  std::string text;
  while (text.size() < 1 << 20) text += "Ã©";
  EXPECT_EQ(repaired(text).size(), text.size() / 2);
  std::string cut;
  while (cut.size() < 1 << 20) cut += "Ð¿Ñ€Ñ";
  EXPECT_EQ(repaired(cut).size(), cut.size() * 6 / 11);
}

}  // namespace
}  // namespace neardup::text
