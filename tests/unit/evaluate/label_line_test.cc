#include "neardup/evaluate/label_line.h"

#include <gtest/gtest.h>

namespace neardup::evaluate {
namespace {

LabelLine read(std::string_view line) {
  const auto parsed = parse_label_line(line);
  EXPECT_TRUE(parsed && *parsed) << line << (parsed ? "" : parsed.error().message);
  return parsed && *parsed ? **parsed : LabelLine{};
}

LabelLine by_lines(uint64_t a, uint64_t b, std::optional<double> similarity = {}) {
  LabelLine line;
  line.a_line = a;
  line.b_line = b;
  line.similarity = similarity;
  return line;
}

LabelLine by_ids(std::string a, std::string b) {
  LabelLine line;
  line.by_id = true;
  line.a_id = std::move(a);
  line.b_id = std::move(b);
  return line;
}

TEST(LabelLine, ReadsColumns) {
  EXPECT_EQ(read("17 42"), by_lines(17, 42));
  EXPECT_EQ(read("17\t42\t0.83\t0.9 more\r"), by_lines(17, 42, 0.83));
  EXPECT_EQ(read("  0,18446744073709551615,1"), by_lines(0, UINT64_MAX, 1));
}

TEST(LabelLine, ReadsObjects) {
  EXPECT_EQ(read(R"({"a":"x","b":"y"})"), by_ids("x", "y"));
  LabelLine line = by_ids("-5", "18446744073709551615");
  line.duplicate = false;
  line.similarity = 1;
  EXPECT_EQ(read(R"( {"b":18446744073709551615,"kind":"near","a":-5,"duplicate":false,"similarity":1} )"), line);
  EXPECT_EQ(read(R"({"a":"\u4e2d","b":"\""})"), by_ids("\u4e2d", "\""));
}

TEST(LabelLine, ReadsJudgementsOfASample) {
  LabelLine line = by_ids("x", "y");
  line.grade = 2;
  line.weight = 40.5;
  line.stratum = "near";
  EXPECT_EQ(read(R"({"a":"x","b":"y","label":2,"weight":40.5,"stratum":"near","type":7})"), line);
  const auto other = parse_label_line(R"({"a":"x","b":"y","label":2,"weight":40.5,"type":7})", "type");
  ASSERT_TRUE(other && *other);
  line.stratum = "7";
  EXPECT_EQ(**other, line);
  line.stratum = "";
  EXPECT_EQ(read(R"({"a":"x","b":"y","label":2,"weight":40.5,"stratum":null})"), line);
}

TEST(LabelLine, PassesOverBlankLinesAndComments) {
  for (const char* line : {"", "  \t\r", "# i j jaccard", "  #{"}) {
    const auto parsed = parse_label_line(line);
    ASSERT_TRUE(parsed) << line;
    EXPECT_FALSE(parsed->has_value()) << line;
  }
}

TEST(LabelLine, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"17", "no line numbers"},
      {"17 -2", "no line numbers"},
      {"1.5 2", "no line numbers"},
      {"i j", "no line numbers"},
      {"1 2 x", "third column"},
      {"1 2 nan", "third column"},
      {"{\"a\":1", "no valid JSON"},
      {"{\"a\":1}", "\"b\" is missing"},
      {"{\"a\":1.5,\"b\":2}", "\"a\" is no id"},
      {"{\"a\":1,\"b\":\"\"}", "\"b\" is no id"},
      {"{\"a\":1,\"b\":2,\"duplicate\":\"yes\"}", "neither true nor false"},
      {"{\"a\":1,\"b\":2,\"similarity\":\"high\"}", "\"similarity\" is no number"},
      {"{\"a\":1,\"b\":2,\"label\":-1}", "\"label\" is no grade"},
      {"{\"a\":1,\"b\":2,\"label\":101}", "\"label\" is no grade"},
      {"{\"a\":1,\"b\":2,\"label\":1.5}", "\"label\" is no grade"},
      {"{\"a\":1,\"b\":2,\"label\":\"same\"}", "\"label\" is no grade"},
      {"{\"a\":1,\"b\":2,\"label\":1,\"duplicate\":true}", "leave one out"},
      {"{\"a\":1,\"b\":2,\"label\":1,\"weight\":0}", "\"weight\" is no number above 0"},
      {"{\"a\":1,\"b\":2,\"label\":1,\"weight\":1e13}", "\"weight\" is no number above 0"},
      {"{\"a\":1,\"b\":2,\"label\":1,\"stratum\":[]}", "\"stratum\" is no stratum"},
      {"{\"a\":1,\"b\":2} {\"a\":1,\"b\":2}", "no valid JSON"}};
  for (const auto& [line, problem] : cases) {
    const auto parsed = parse_label_line(line);
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find(problem), std::string::npos) << line << ": " << parsed.error().message;
    EXPECT_NE(parsed.error().message.find("expected"), std::string::npos);
  }
}

}  // namespace
}  // namespace neardup::evaluate
