#include "neardup/base/parse_json.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace neardup
