#include "neardup/base/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "neardup/base/hash.h"

namespace neardup {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Json, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(quoted("a\"b\\c\n\r\t\x01"), "\"a\\\"b\\\\c\\n\\r\\t\\u0001\"");
  EXPECT_EQ(quoted("\xC3\xA4\xE4\xB8\xAD\xF0\x9F\x98\x80"), "\"\xC3\xA4\xE4\xB8\xAD\xF0\x9F\x98\x80\"");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(Json, InvalidBytesBecomeReplacementCharacters) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(quoted("a\xFFz"), "\"a" + replacement + "z\"");
  EXPECT_EQ(quoted("\xC0\x80"), "\"" + replacement + replacement + "\"");                    // overlong
  EXPECT_EQ(quoted("\xED\xA0\x80"), "\"" + replacement + replacement + replacement + "\"");  // surrogate
  EXPECT_EQ(quoted("\xE4\xB8"), "\"" + replacement + replacement + "\"");                    // cut off
  EXPECT_EQ(quoted("\xF4\x90\x80\x80").size(), 4 * replacement.size() + 2);                  // beyond U+10FFFF
}

TEST(Json, NumbersReadBack) {
  std::string out;
  append_json_number(out, 0.1);
  out += ' ';
  append_json_number(out, 3);
  out += ' ';
  append_json_number(out, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(out, "0.1 3 null");
}

TEST(Hash, ValuesNeverChange) {
  EXPECT_EQ(to_hex(hash64("")), "2d06800538d394c2");
  EXPECT_EQ(to_hex(hash128("")), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(mix64(0), 0u);
  EXPECT_NE(hash64("a", 1), hash64("a", 2));
}

}  // namespace
}  // namespace neardup
