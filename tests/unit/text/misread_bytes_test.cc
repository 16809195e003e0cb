#include "neardup/text/misread_bytes.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

#include "neardup/text/normalizer.h"

namespace neardup::text::misread_bytes_test {
namespace {

constexpr std::string_view kRussian =
    "Управление порта сообщило во вторник, что при осмотре в двух опорах найдены трещины.";
constexpr std::string_view kChinese =
    "港务局周二宣布，因例行检查发现两根支柱出现裂缝，北码头将关闭至月底，所有渡轮将改用南码头。";
constexpr std::string_view kTaiwan =
    "港務局週二宣布，因例行檢查發現兩根支柱出現裂縫，北碼頭將關閉至月底，所有渡輪將改用南碼頭。";
constexpr std::string_view kJapanese = "港湾事務所は火曜日、定期点検で二本の支柱にひび割れが見つかったと発表した。";
constexpr std::string_view kKorean = "항만청은 화요일 정기 점검에서 기둥 두 개에 균열이 발견되었다고 발표했다.";

/// `text` in the one encoding, read in the other.
std::string misread(std::string_view text, const char* is, const char* taken_for) {
  std::string bytes(text.size() * 4, '\0'), out(text.size() * 8, '\0');
  UErrorCode error = U_ZERO_ERROR;
  bytes.resize(static_cast<size_t>(ucnv_convert(is, "UTF-8", bytes.data(), static_cast<int32_t>(bytes.size()),
                                                text.data(), static_cast<int32_t>(text.size()), &error)));
  out.resize(static_cast<size_t>(ucnv_convert("UTF-8", taken_for, out.data(), static_cast<int32_t>(out.size()),
                                              bytes.data(), static_cast<int32_t>(bytes.size()), &error)));
  EXPECT_TRUE(U_SUCCESS(error)) << is;
  return out;
}

std::string repaired(std::string_view text) {
  std::string out = "none";
  return repair_misread_bytes(text, out) ? out : std::string(text);
}

std::string folded(std::string_view text) {
  std::string out;
  Normalizer({.normalization = Normalization::kFolded}).normalize(text, out);
  return out;
}

TEST(MisreadBytes, AreWhatTheyWere) {
  for (const char* encoding : {"windows-1251", "KOI8-R", "ISO-8859-5", "ibm-866"})
    EXPECT_EQ(repaired(misread(kRussian, encoding, "ISO-8859-1")), kRussian) << encoding;
  EXPECT_EQ(repaired(misread(kRussian, "KOI8-R", "windows-1252")), kRussian);
  EXPECT_EQ(repaired(misread(kChinese, "GBK", "ISO-8859-1")), kChinese);
  EXPECT_EQ(repaired(misread(kTaiwan, "Big5", "ISO-8859-1")), kTaiwan);
  for (const char* encoding : {"EUC-JP", "Shift_JIS"})
    EXPECT_EQ(repaired(misread(kJapanese, encoding, "ISO-8859-1")), kJapanese) << encoding;
  EXPECT_EQ(repaired(misread(kKorean, "EUC-KR", "ISO-8859-1")), kKorean);
}

TEST(MisreadBytes, OtherTextsStayAsTheyAre) {
  std::string all;  // a table of the characters
  for (char32_t c = 0xC0; c < 0x100; ++c) all += {static_cast<char>(0xC3), static_cast<char>(c - 0x40)};
  std::string box;  // lines of DOS that were read so
  for (int i = 0; i < 30; ++i) box += "ÚÄÄÄÄÄÄÄ¿³ÀÄÄÄÄÄÄÄÙ";
  for (const std::string& text : {std::string(), std::string("plain"), all, box, std::string(80, ' ') + "ÄÖÜ äöü ß",
                                  std::string("ÉÈÊËÀÂÄÇÎÏÔÖÙÛÜŸ ÉÈÊËÀÂÄÇÎÏ"), std::string(kRussian),
                                  std::string(kChinese), misread(kRussian, "UTF-8", "ISO-8859-1")})
    EXPECT_EQ(repaired(text), text);
}

TEST(MisreadBytes, AreTheSameTextWhenTheyAreNormalized) {
  EXPECT_EQ(folded(misread(kRussian, "KOI8-R", "ISO-8859-1")), folded(kRussian));
  EXPECT_EQ(folded(misread(kRussian, "windows-1251", "windows-1252")), folded(kRussian));
  EXPECT_EQ(folded(misread(kChinese, "GBK", "ISO-8859-1")), folded(kChinese));
}

}  // namespace
}  // namespace neardup::text::misread_bytes_test
