#include "neardup/base/sizes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace neardup {
namespace {

TEST(ParseSize, TakesAllForms) {
  EXPECT_EQ(*parse_size("4096"), 4096u);
  EXPECT_EQ(*parse_size("0"), 0u);
  EXPECT_EQ(*parse_size("100B"), 100u);
  EXPECT_EQ(*parse_size("1K"), 1024u);
  EXPECT_EQ(*parse_size("4G"), uint64_t{4} << 30);
  EXPECT_EQ(*parse_size("4g"), uint64_t{4} << 30);
  EXPECT_EQ(*parse_size("4GB"), uint64_t{4} << 30);
  EXPECT_EQ(*parse_size("4GiB"), uint64_t{4} << 30);
  EXPECT_EQ(*parse_size("1.5 GiB"), uint64_t{3} << 29);
  EXPECT_EQ(*parse_size("2T"), uint64_t{2} << 40);
  EXPECT_EQ(*parse_size("512 m"), uint64_t{512} << 20);
}

TEST(ParseSize, RefusesEverythingElse) {
  for (const char* text : {"", "G", "4X", "-1", "4 GiBs", "nan", "inf", "1e30", "4G4", "4BB", "0x10"}) {
    const auto size = parse_size(text);
    ASSERT_FALSE(size.has_value()) << text;
    EXPECT_EQ(size.error().code, Code::kInvalidArgument);
  }
  EXPECT_EQ(parse_size("4X").error().message, "expected a size such as 512M or 4G, found \"4X\"");
}

RC_GTEST_PROP(SizeText, ReadsBack, ()) {
  const auto bytes = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 50);
  const int shift = *rc::gen::element(0, 10, 20, 30);
  const uint64_t rounded = bytes >> shift << shift;
  RC_ASSERT(*parse_size(size_text(rounded)) == rounded);
}

TEST(ParseCount, UsesPowersOfThousand) {
  EXPECT_EQ(*parse_count("1000"), 1000u);
  EXPECT_EQ(*parse_count("1e8"), 100'000'000u);
  EXPECT_EQ(*parse_count("10M"), 10'000'000u);
  EXPECT_EQ(*parse_count("1.5k"), 1500u);
  EXPECT_FALSE(parse_count("10Mi").has_value());
  EXPECT_FALSE(parse_count("many").has_value());
}

TEST(Sizes, SharesAreReadWhole) {
  EXPECT_EQ(*parse_share("0.95"), 0.95);
  EXPECT_EQ(*parse_share("1"), 1);
  for (const char* text : {"", "1.01", "-0.1", "nan", "0,5", "0.5x", " 0.5"})
    EXPECT_EQ(parse_share(text).error().code, Code::kInvalidArgument) << text;
}

TEST(Sizes, SharesThatAreNoneAreNamed) {
  for (const double share : {0.0, 0.5, 1.0}) EXPECT_TRUE(check_share("it", share));
  EXPECT_EQ(check_share("--it", 1.5).error().message, "--it is a number from 0 to 1, not 1.5");
  for (const double share : {-0.1, std::nan(""), HUGE_VAL})
    EXPECT_EQ(check_share("it", share).error().code, Code::kInvalidArgument) << share;
}

TEST(ParseWhole, NamesTheRange) {
  EXPECT_EQ(*parse_whole("-3", -5, 5), -3);
  EXPECT_EQ(parse_whole("17", 0, 16).error().message, "expected a whole number, 0 to 16, found \"17\"");
  EXPECT_EQ(parse_whole("-1", 1, INT64_MAX).error().message, "expected a whole number, 1 or more, found \"-1\"");
  EXPECT_FALSE(parse_whole("3.5", 0, 16).has_value());
  EXPECT_FALSE(parse_whole("", 0, 16).has_value());
  EXPECT_FALSE(parse_whole("99999999999999999999", 0, INT64_MAX).has_value());
}

TEST(Human, Bytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(1.54e6), "1.5 MB");
  EXPECT_EQ(human_bytes(310e6), "310 MB");
  EXPECT_EQ(human_bytes(999.6e6), "1.0 GB");
  EXPECT_EQ(human_bytes(5e18), "5000 PB");
}

TEST(Human, CountAndSeconds) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(77944), "77,944");
  EXPECT_EQ(human_count(1234567), "1,234,567");
  EXPECT_EQ(human_seconds(0.44), "0.4 s");
  EXPECT_EQ(human_seconds(12.3), "12 s");
  EXPECT_EQ(human_seconds(200), "3 min 20 s");
  EXPECT_EQ(human_seconds(59.7), "1 min 00 s");
  EXPECT_EQ(human_seconds(7500), "2 h 05 min");
  EXPECT_EQ(human_seconds(3 * 86400 + 7200), "3 days 2 h");
}

}  // namespace
}  // namespace neardup
