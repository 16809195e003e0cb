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

}  // namespace
}  // namespace neardup::corpus
