// Decoding and classes of characters, against the definition of UTF-8 and tables written out.
#include "neardup/diff/characters.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace neardup::diff {
namespace {

// RFC 3629, section 3, word for word: the bits of a sequence of `length` bytes, or nothing.
bool decode_by_the_rfc(std::string_view bytes, size_t length, char32_t& code_point) {
  static constexpr unsigned kLeadMask[] = {0, 0x80, 0xe0, 0xf0, 0xf8}, kLead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
  static constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (bytes.size() < length) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  if ((first & kLeadMask[length]) != kLead[length]) return false;
  code_point = first & ~kLeadMask[length] & 0xff;
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xc0) != 0x80) return false;
    code_point = code_point << 6 | (byte & 0x3f);
  }
  return code_point >= kLeast[length] && code_point <= 0x10ffff && (code_point < 0xd800 || code_point > 0xdfff);
}

void expect_decoded_by_the_rfc(std::string_view bytes) {
  const DecodedCharacter found = character_at(bytes, 0);
  for (size_t length = 1; length <= 4; ++length) {
    char32_t code_point = 0;
    if (!decode_by_the_rfc(bytes, length, code_point)) continue;
    EXPECT_TRUE(found.valid);
    EXPECT_EQ(found.length, length);
    EXPECT_EQ(found.code_point, code_point);
    return;
  }
  EXPECT_FALSE(found.valid);
  EXPECT_EQ(found.length, 1);
  EXPECT_EQ(found.code_point, U'\uFFFD');
}

TEST(CharacterAtAnyBytes, OneAndTwoBytesAllOfThem) {
  for (int a = 0; a < 256; ++a) {
    expect_decoded_by_the_rfc(std::string(1, static_cast<char>(a)));
    for (int b = 0; b < 256; ++b) expect_decoded_by_the_rfc({std::string{static_cast<char>(a), static_cast<char>(b)}});
  }
}

TEST(CharacterAtAnyBytes, ThreeAndFourBytesAroundEveryBorder) {
  static constexpr int kEdges[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
  for (int a = 0xc0; a < 256; ++a)
    for (const int b : kEdges)
      for (const int c : kEdges)
        for (const int d : kEdges)
          expect_decoded_by_the_rfc(
              {std::string{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)}});
}

TEST(CharacterAtAnyBytes, EveryByteIsInOneCharacter) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 60, ' ');
    for (char& byte : text) byte = static_cast<char>(random() % 3 == 0 ? random() : 'a');
    size_t position = 0;
    while (position < text.size()) position += character_at(text, position).length;
    EXPECT_EQ(position, text.size()) << "no character reaches beyond the end";
  }
}

struct RoleCase {
  char32_t code_point;
  CharacterRole role;
};

class CharacterRoleOf : public ::testing::TestWithParam<RoleCase> {};

TEST_P(CharacterRoleOf, IsAsTheNounSays) { EXPECT_EQ(character_role(GetParam().code_point), GetParam().role); }

constexpr auto kSpace = CharacterRole::kSpace, kWord = CharacterRole::kWord, kAlone = CharacterRole::kAlone,
               kExtend = CharacterRole::kExtend;
INSTANTIATE_TEST_SUITE_P(Each, CharacterRoleOf,
                         ::testing::Values(RoleCase{U' ', kSpace}, RoleCase{U'\n', kSpace}, RoleCase{U'\t', kSpace},
                                           RoleCase{U'\r', kSpace}, RoleCase{0xa0, kSpace}, RoleCase{0x2003, kSpace},
                                           RoleCase{0x3000, kSpace}, RoleCase{U'a', kWord}, RoleCase{U'Z', kWord},
                                           RoleCase{U'7', kWord}, RoleCase{0xe9, kWord}, RoleCase{0x416, kWord},
                                           RoleCase{0x5d0, kWord}, RoleCase{0x628, kWord}, RoleCase{0xac00, kWord},
                                           RoleCase{0x4e2d, kAlone}, RoleCase{0x3042, kAlone}, RoleCase{0xe01, kAlone},
                                           RoleCase{U',', kAlone}, RoleCase{U'+', kAlone}, RoleCase{0x1f600, kAlone},
                                           RoleCase{0x301, kExtend}, RoleCase{0x200d, kExtend},
                                           RoleCase{0xfe0f, kExtend}, RoleCase{0xe31, kExtend}));

TEST(IsHidden, ControlsOverridesAndZeroWidthButNotWhatScriptsNeed) {
  for (char32_t c = 0; c < 0x20; ++c) EXPECT_EQ(is_hidden(c), c != U'\t' && c != U'\n') << static_cast<int>(c);
  for (char32_t c = 0x20; c < 0x7f; ++c) EXPECT_FALSE(is_hidden(c));
  for (char32_t c = 0x7f; c < 0xa0; ++c) EXPECT_TRUE(is_hidden(c)) << static_cast<int>(c);
  for (const char32_t c : {0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200b})
    EXPECT_TRUE(is_hidden(c)) << static_cast<int>(c);
  for (const char32_t c : {0x200c, 0x200d, 0x200e, 0x200f, 0x4e2d, 0x301, 0xe9}) EXPECT_FALSE(is_hidden(c));
}

TEST(TerminalWidth, ZeroForMarksTwoForWideOnes) {
  for (const char32_t c : {U'a', U' ', U'\u00e9', U'\u0416', U'\u05d0'}) EXPECT_EQ(terminal_width(c), 1);
  for (const char32_t c : {0x301, 0x200d, 0xfe0f}) EXPECT_EQ(terminal_width(c), 0);
  for (const char32_t c : {0x4e2d, 0x3042, 0xac00, 0xff21, 0x1f600}) EXPECT_EQ(terminal_width(c), 2);
  for (char32_t c = 0; c <= 0x10ffff; c += 7) {
    const int width = terminal_width(c);
    ASSERT_TRUE(width >= 0 && width <= 2) << static_cast<unsigned>(c);
  }
}

TEST(CodePointName, HasAtLeastFourDigits) {
  EXPECT_EQ(code_point_name(0), "U+0000");
  EXPECT_EQ(code_point_name(0x202e), "U+202E");
  EXPECT_EQ(code_point_name(0x1f600), "U+1F600");
  EXPECT_EQ(code_point_name(0x10ffff), "U+10FFFF");
}

}  // namespace
}  // namespace neardup::diff
