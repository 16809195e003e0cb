#include "neardup/corpus/formats/json_line.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::corpus {
namespace {

std::string problem_of(std::string_view line) {
  Arena arena;
  JsonLine json(std::make_shared<const std::vector<WantedKey>>());
  EXPECT_EQ(json.parse(line, arena), JsonVerdict::kInvalid) << line;
  return json.problem();
}

void expect_problem(std::string_view line, std::string_view begins) {
  EXPECT_TRUE(problem_of(line).starts_with(begins)) << line << ": " << problem_of(line);
}

TEST(JsonLine, ProblemsPointAtTheirByte) {
  expect_problem(R"({"id": 1, "text": "abc)", "a string is not closed that begins at byte 19: ");
  expect_problem(R"({"id": "a\"b)", "a string is not closed that begins at byte 8: ");
  expect_problem(R"({"id)", "a string is not closed that begins at byte 2: ");
  expect_problem("{\"a\": \"x\", \"b\": \"y\tz\"}",
                 "a control character stands in a string without an escape at byte 19: ");
  expect_problem("{\"a\": \"\t", "a string is not closed that begins at byte 7: ");
  expect_problem("{\"a\t\": 1}", "a control character stands in a string without an escape at byte 4: ");
  expect_problem(R"({"id"...)", "expected : after a field name at byte 6");
  expect_problem(R"({"id" 1})", "expected : after a field name at byte 7");
  expect_problem(R"({"id": 1 "text": 2})", "expected , or } at byte 10");
  expect_problem(R"({"text": nope})", "expected a value at byte 10");
  expect_problem(R"({"text": "\q"})", "an escape in a string is not valid at byte 10");
}

TEST(JsonLine, ALineThatEndsTooEarlySaysSo) {
  expect_problem(R"({"id")", "the line ends too early at byte 6: each object stands on one line");
  expect_problem(R"({"id":)", "the line ends too early at byte 7: ");
  expect_problem(R"({"id": 1)", "the line ends too early at byte 9: ");
  expect_problem(R"({"id": 1,)", "the line ends too early at byte 10: ");
  expect_problem("{", "the line ends too early at byte 2: ");
  expect_problem("[[1", "the line ends too early at byte 4: ");
}

struct Malformed {
  const char* line;
  const char* found;  // what the message shows
  const char* cure;
};

TEST(JsonLine, WhatIsWrongIsShownWithItsCure) {
  const std::vector<Malformed> lines = {
      {"{\"a\":1}\r{\"a\":2}\r", "end with \\r alone", "tr '\\r' '\\n'"},
      {"{\"a\":1}{\"a\":2}", "two objects stand on one line", "jq -c ."},
      {"{\"a\":1} {\"a\":2}", "two objects stand on one line", "jq -c ."},
      {"{\"a\":1}, {\"a\":2}", "found ,", "jq -c '.[]'"},
      {"{\"a\":1},", "parted by commas", "sed 's/,$//'"},
      {"{\"a\":1} [2]", "two values", "jq -c ."},
      {"{\"a\":1} // x", "found //", "no comments"},
      {"\"a\": 1,", "found :", "jq -c ."},
      {"]", "found ]", "jq -c '.[]'"},
      {"{\"a\": None}", "found None", "json.dumps"},
      {"{\"a\": True}", "found True", "json.dumps"},
      {"{\"a\": 'b'}", "found 'b'", "double quotes"},
      {"{'a': 'b'}", "found 'a'", "double quotes"},
      {"{a: 1}", "found a", "double quotes"},
      {"{\"a\": undefined}", "found undefined", "null"},
      {"{\"a\": nan}", "found nan", "NaN, Infinity and -Infinity"},
      {"{\"a\": -inf}", "found -inf", "NaN, Infinity and -Infinity"},
      {"{\"a\": 1,}", "found }", "comma too many"},
      {"{\"a\": [1,]}", "found ]", "comma too many"},
      {"{\"a\": }", "found }", "no value"},
      {"{\"a\": 1 /* b */}", "found /*", ""},
      {"{\"a\": /* b */ 1}", "found /*", "no comments"},
      {"{\"a\": 01}", "found 01", "without zeros"},
      {"{\"a\": +1}", "found +1", "a plus in front"},
      {"{\"a\": .5}", "found .5", "-0.5"},
      {"{\"a\": 0x1F}", "found 0x1F", "numbers are written"},
      {"{\"a\": word}", "found word", "double quotes"},
      {"{\"a\": \"b\" \"c\": 1}", "found \"", "comma is missing"},
      {"{\"a\": \"b \"c\" d\"}", "found c", "written \\\""},
      {"{\"a\" 1}", "found 1", "written \\\""},
      {"{\"a\": \"\\x\"}", "an escape", "written \\\\"},
      {"{\"a\": \"b", "not closed", "jq -c ."},
      {"{\"a\": \"b\tc\"}", "control character", "write it as"},
      {"{", "too early", "jq -c ."},
  };
  for (const Malformed& one : lines) {
    const std::string problem = problem_of(one.line);
    EXPECT_NE(problem.find(one.found), std::string::npos) << one.line << ": " << problem;
    EXPECT_NE(problem.find(one.cure), std::string::npos) << one.line << ": " << problem;
    EXPECT_NE(problem.find(" at byte "), std::string::npos) << one.line << ": " << problem;
    EXPECT_NE(problem.find(": "), std::string::npos) << one.line << ": " << problem;
  }
}

TEST(JsonLine, NumbersThatAreNoneAreValuesAsPythonWritesThem) {
  Arena arena;
  JsonLine json(std::make_shared<const std::vector<WantedKey>>(std::vector{WantedKey("a")}));
  for (const char* line :
       {"{\"a\":NaN}", "{\"a\":Infinity,\"b\":[NaN,-Infinity]}", "{\"b\":{\"c\":NaN},\"a\": -Infinity }"}) {
    ASSERT_EQ(json.parse(line, arena), JsonVerdict::kObject) << line;
    EXPECT_EQ(json.field(0).kind, JsonField::Kind::kOther) << line;
  }
  for (const char* line : {"{\"a\":+Infinity}", "{\"a\":-NaN}", "{\"a\":NaN1}", "{\"a\":Infinit}", "{NaN:1}"})
    EXPECT_EQ(json.parse(line, arena), JsonVerdict::kInvalid) << line;
}

}  // namespace
}  // namespace neardup::corpus
