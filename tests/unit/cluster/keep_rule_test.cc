#include "neardup/cluster/keep_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "neardup/cluster/json_scalar.h"

namespace neardup::cluster {
namespace {

constexpr double kLast = std::numeric_limits<double>::infinity();

KeepRule rule(std::string_view text) { return keep_rule_from_string(text).value(); }

TEST(KeepRule, ReadsItsOwnForms) {
  for (const char* text : {"first", "longest", "max:stars", "max:a=b", "priority:site=a", "priority:site=a,b=c,d"}) {
    ASSERT_TRUE(keep_rule_from_string(text)) << text;
    EXPECT_EQ(to_string(rule(text)), text);
  }
  EXPECT_EQ(rule("priority:site=a,b=c").values, (std::vector<std::string>{"a", "b=c"}));
  EXPECT_EQ(rule("max:stars").field, "stars");
  EXPECT_EQ(rule("first"), KeepRule{});
}

TEST(KeepRule, RefusesOthersAndListsTheForms) {
  for (const char* text : {"", "last", "First", "max", "max:", "priority", "priority:", "priority:a", "priority:=a",
                           "priority:a=", "priority:a=b,,c", "priority:a=b,c,b"}) {
    const auto found = keep_rule_from_string(text);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, Code::kInvalidArgument);
    EXPECT_NE(found.error().message.find("first, longest, max:FIELD or priority:FIELD=a,b"), std::string::npos);
  }
}

TEST(KeepRule, FirstAndLongest) {
  EXPECT_EQ(rule("first").key(10, "5"), rule("first").key(99, ""));
  EXPECT_LT(rule("longest").key(11, ""), rule("longest").key(10, ""));
}

TEST(KeepRule, MaxPrefersLargerNumbersAndPutsTheRestLast) {
  const KeepRule max = rule("max:x");
  const std::vector<const char*> descending = {"1e300", "12345678901", "12", "\"11.5\"", "true",
                                               "0.5",   "0",           "-3", "\"-1e9\""};
  for (size_t i = 0; i + 1 < descending.size(); ++i)
    EXPECT_LT(max.key(0, descending[i]), max.key(0, descending[i + 1]));
  EXPECT_EQ(max.key(0, "0"), max.key(0, "false"));
  EXPECT_FALSE(std::signbit(max.key(0, "-0")));
  for (const char* raw :
       {"", "null", "\"\"", "\"abc\"", "[1]", "{\"a\":1}", "\"12 \"", "\"inf\"", "\"nan\"", "1e999", "\"+1\"", "\""})
    EXPECT_EQ(max.key(0, raw), kLast) << raw;
}

TEST(KeepRule, MaxComparesDates) {
  const KeepRule max = rule("max:date");
  const std::vector<const char*> descending = {"\"2024-05-01T23:30:00-02:00\"",
                                               "\"2024-05-01T12:00:00.25\"",
                                               "\"2024-05-01T12:00Z\"",
                                               "\"2024-05-01 10:00:00+0000\"",
                                               "\"2024-05-01\"",
                                               "\"2024-04-30T23:59:60Z\"",
                                               "\"2024-04\"",
                                               "\"1969-12-31\"",
                                               "\"0001-01-01\""};
  for (size_t i = 0; i + 1 < descending.size(); ++i)
    EXPECT_LE(max.key(0, descending[i]), max.key(0, descending[i + 1])) << i;
  EXPECT_EQ(max.key(0, "\"2024-05-01\""), -1714521600.0);
  EXPECT_EQ(max.key(0, "1714521600"), max.key(0, "\"2024-05-01T02:00:00+02\""));
}

TEST(IsoSeconds, RefusesWhatIsNoDate) {
  for (const char* text :
       {"2024", "2024-", "2024-13", "2024-00-10", "2024-02-30", "2023-02-29", "2024-05-01T", "2024-05-01T12",
        "2024-05-01T25:00", "2024-05-01T12:60", "2024-05-01T12:00:00.", "2024-05-01T12:00:00x", "2024-05-01T12:00Z1",
        "2024-05-01T12:00+1", "2024-05-01x", "24-05-01", "2024/05/01"})
    EXPECT_FALSE(iso_seconds(text)) << text;
  EXPECT_EQ(iso_seconds("2024-02-29").value() - iso_seconds("2024-02-28").value(), 86400);
  EXPECT_EQ(iso_seconds("1970-01-01").value(), 0);
  EXPECT_EQ(iso_seconds("1900-03-01").value() - iso_seconds("1900-02-28").value(), 86400);
  EXPECT_EQ(iso_seconds("2000-01-01T00:00:00").value(), 946684800);
}

TEST(KeepRule, PriorityFollowsTheList) {
  const KeepRule priority = rule("priority:site=b,a,7,caf\xc3\xa9");
  EXPECT_EQ(priority.key(0, "\"b\""), 0);
  EXPECT_EQ(priority.key(0, "\"a\""), 1);
  EXPECT_EQ(priority.key(0, "7"), 2);
  EXPECT_EQ(priority.key(0, "\"caf\\u00e9\""), 3);
  EXPECT_EQ(priority.key(0, "\"z\""), 4);
  EXPECT_EQ(priority.key(0, "[\"b\"]"), 4);
  EXPECT_EQ(priority.key(0, ""), 5);
  EXPECT_EQ(priority.key(0, "null"), 5);
}

TEST(JsonText, TakesEscapesOut) {
  EXPECT_EQ(json_text(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(json_text(R"("\u0041\u00e9\u4e2d\ud83d\ude00")"), "A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80");
  EXPECT_EQ(json_text(R"("\ud83d x")"), R"(\ud83d x)");
  EXPECT_EQ(json_text(R"("\ude00\u00g0\q\)"
                      "\""),
            R"(\ude00\u00g0\q\)");
  EXPECT_EQ(json_text("12"), "12");
  EXPECT_EQ(json_text("\""), "\"");
}

TEST(DocumentsByRank, KeyThenNumber) {
  const std::vector<double> keys = {3, kLast, -1, 3, -1, kLast};
  EXPECT_EQ(documents_by_rank(keys), (std::vector<uint32_t>{2, 4, 0, 3, 1, 5}));
  EXPECT_TRUE(documents_by_rank({}).empty());
}

}  // namespace
}  // namespace neardup::cluster
