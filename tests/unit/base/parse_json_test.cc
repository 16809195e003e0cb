#include "neardup/base/parse_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace neardup {
namespace {

using Json = nlohmann::ordered_json;

TEST(ParseJson, WhatTheLibraryThrowsIsAnError) {
  for (const char* text :
       {R"({"seed":18446E744746})", R"({"seed":1e999})", "{", "", "\xFF", "[1,]", "{\"a\":\"\xC0\"}"}) {
    const auto json = parse_json<Json>(text);
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().code, Code::kInvalidArgument);
    EXPECT_FALSE(json.error().message.empty());
    EXPECT_EQ(json.error().message.find("json.exception"), std::string::npos) << "the library's own name";
  }
}

TEST(ParseJson, DepthIsBounded) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json<Json>(nested(kMaxJsonDepth)));
  EXPECT_FALSE(parse_json<Json>(nested(kMaxJsonDepth + 1)));
  EXPECT_FALSE(parse_json<Json>(nested(5'000'000)));
  EXPECT_TRUE(parse_json<Json>("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""))
      << "in a string";
}

TEST(ParseJson, MembersOfAnything) {
  const Json json = *parse_json<Json>(R"({"a":1})");
  EXPECT_EQ(json_member(json, "a"), 1);
  EXPECT_TRUE(json_member(json, "b").is_null());
  EXPECT_TRUE(json_member(Json("text"), "a").is_null());
}

TEST(ParseJson, StringsOfAnything) {
  EXPECT_EQ(json_string(Json("text")), "text");
  for (const char* text : {"null", "1", "true", "[\"text\"]", "{}"})
    EXPECT_EQ(json_string(*parse_json<Json>(text)), "");
}

template <class Integer>
std::optional<Integer> integer_of(std::string_view text) {
  return json_integer<Integer>(*parse_json<Json>(text));
}

TEST(ParseJson, IntegersAreWholeNumbersInRange) {
  EXPECT_EQ(integer_of<uint64_t>("18446744073709551615"), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(integer_of<int64_t>("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(integer_of<int64_t>("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(integer_of<int>("-1"), -1);
  EXPECT_EQ(integer_of<uint8_t>("255"), uint8_t{255});
  EXPECT_EQ(json_integer<uint64_t>(Json(7)), uint64_t{7}) << "made by a program, as a signed number";
}

TEST(ParseJson, NoOtherNumberIsAnInteger) {
  for (const char* text : {"35624178901234567890", "18446744073709551616", "-9223372036854775809", "1e19", "1e300",
                           "-1e300", "1.5", "1.0", "1e3", "-0.0", "null", "true", "\"1\"", "[1]", "{}"}) {
    EXPECT_EQ(integer_of<uint64_t>(text), std::nullopt) << text;
    EXPECT_EQ(integer_of<int64_t>(text), std::nullopt) << text;
    EXPECT_EQ(integer_of<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(integer_of<uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(integer_of<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(integer_of<int>("4294967297"), std::nullopt) << "its low bits are those of 1";
  EXPECT_EQ(integer_of<uint8_t>("256"), std::nullopt);
}

}  // namespace
}  // namespace neardup
