#include "neardup/text/look_alikes.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

namespace neardup::text {
namespace {

std::string unmixed(std::string text) {
  std::string scratch;
  unmix_words(text, scratch);
  return text;
}

TEST(LookAlikes, WordsOfOneScriptStay) {
  for (const char* text : {"", "cop", "сор", "a б", "москва moscow", "3d-печать"}) EXPECT_EQ(unmixed(text), text);
}

TEST(LookAlikes, MixedWordsAreWrittenInTheScriptThatHasAllTheirLetters) {
  EXPECT_EQ(unmixed("рrеsident"), "president");
  EXPECT_EQ(unmixed("мocквa"), "москва");
  EXPECT_EQ(unmixed("(сovid-19)"), "(covid-19)");
  EXPECT_EQ(unmixed("tехнiка"), "техніка");
  EXPECT_EQ(unmixed("wеlсome \u051Dorl\u0501 fӏy"), "welcome world fly");
}

TEST(LookAlikes, WhereBothWouldDoTheWordBeforeDecides) {
  EXPECT_EQ(unmixed("the сop"), "the cop");
  EXPECT_EQ(unmixed("и сop"), "и сор");
  EXPECT_EQ(unmixed("сop"), "cop");
}

TEST(LookAlikes, WordsThatNoScriptCanWriteStay) {
  EXPECT_EQ(unmixed("жzж"), "жzж");
  EXPECT_EQ(unmixed("wifiбот"), "wifiбот");
}

TEST(LookAlikes, AgainChangesNothing) {
  for (const char* text : {"рrеsident мocквa сop", "и сop жzж"}) EXPECT_EQ(unmixed(unmixed(text)), unmixed(text));
}

// What the table says look alike does so by Unicode's own, as small or as capital letters.
TEST(LookAlikes, UnicodeSaysSo) {
  UErrorCode error = U_ZERO_ERROR;
  USpoofChecker* checker = uspoof_open(&error);
  ASSERT_TRUE(U_SUCCESS(error));
  const auto alike = [&](UChar32 a, UChar32 b) {
    icu::UnicodeString first(a), second(b), skeletons[2];
    uspoof_getSkeletonUnicodeString(checker, 0, first, skeletons[0], &error);
    uspoof_getSkeletonUnicodeString(checker, 0, second, skeletons[1], &error);
    return skeletons[0] == skeletons[1];
  };
  int count = 0;
  for (char32_t c = 0x400; c < 0x530; ++c) {
    const char latin = latin_twin(c);
    if (latin == 0) continue;
    const auto cyrillic = static_cast<UChar32>(c);
    // U+04C0 looks like a small l, U+042C like a small b.
    const bool either = alike(latin, cyrillic) || alike(latin, u_toupper(cyrillic));
    EXPECT_TRUE(either || alike(u_toupper(latin), u_toupper(cyrillic))) << latin << ' ' << static_cast<uint32_t>(c);
    ++count;
  }
  EXPECT_EQ(count, 23);
  for (char latin = 'a'; latin <= 'z'; ++latin) {
    const char32_t twin = cyrillic_twin(latin);
    EXPECT_TRUE(twin == 0 || latin_twin(twin) == latin);
  }
  uspoof_close(checker);
}

}  // namespace
}  // namespace neardup::text
