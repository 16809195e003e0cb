#include "neardup/report/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "neardup/base/sizes.h"

namespace neardup::report {
namespace {

constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Numbers, Thousands) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(15897), "15,897");
  EXPECT_EQ(human_count(123456), "123,456");
  EXPECT_EQ(human_count(kHuge), "18,446,744,073,709,551,615");
}

TEST(Numbers, ShortCount) {
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1024), "1k");
  EXPECT_EQ(short_count(1240), "1.2k");
  EXPECT_EQ(short_count(9970), "10k");
  EXPECT_EQ(short_count(999'499), "999k");
  EXPECT_EQ(short_count(999'500), "1M");
  EXPECT_EQ(short_count(kHuge), "18E");
}

TEST(Numbers, Bytes) {
  EXPECT_EQ(bytes(0), "0 B");
  EXPECT_EQ(bytes(999), "999 B");
  EXPECT_EQ(bytes(1000), "1.00 kB");
  EXPECT_EQ(bytes(59'700'000), "59.7 MB");
  EXPECT_EQ(bytes(999'999), "1.00 MB");
  EXPECT_EQ(bytes(kHuge), "18.4 EB");
}

TEST(Numbers, PercentNeverHidesAFew) {
  EXPECT_EQ(percent(0, 0), "0 %");
  EXPECT_EQ(percent(0, 5), "0 %");
  EXPECT_EQ(percent(433, 1000), "43.3 %");
  EXPECT_EQ(percent(1, 1'000'000), "< 0.1 %");
  EXPECT_EQ(percent(999'999, 1'000'000), "> 99.9 %");
  EXPECT_EQ(percent(7, 7), "100 %");
}

TEST(Numbers, Duration) {
  EXPECT_EQ(duration(0), "0.000 s");
  EXPECT_EQ(duration(0.0124), "0.012 s");
  EXPECT_EQ(duration(4.314), "4.31 s");
  EXPECT_EQ(duration(59.99), "1 min 00 s");
  EXPECT_EQ(duration(125), "2 min 05 s");
  EXPECT_EQ(duration(12'000), "3 h 20 min");
  EXPECT_EQ(duration(7'199), "2 h 00 min");
  EXPECT_EQ(duration(-1), "0.000 s");
  EXPECT_EQ(duration(kNan), "0.000 s");
  EXPECT_EQ(duration(kInfinity), "0.000 s");
}

TEST(Numbers, Rates) {
  EXPECT_EQ(rate(24'690, 2), "12,345 /s");
  EXPECT_EQ(rate(24'690, 2, "documents"), "12,345 documents/s");
  EXPECT_EQ(rate(5, 0), "-");
  EXPECT_EQ(byte_rate(240'000'000, 2), "120 MB/s");
  EXPECT_EQ(byte_rate(1, kNan), "-");
  EXPECT_FALSE(rate(kHuge, 0.0002).empty());
}

TEST(Numbers, SimilarityIsOneOnlyWhereItIs) {
  EXPECT_EQ(similarity(0.874), "0.87");
  EXPECT_EQ(similarity(0.999), "0.99");
  EXPECT_EQ(similarity(1), "1.00");
  EXPECT_EQ(similarity(-3), "0.00");
  EXPECT_EQ(similarity(kNan), "0.00");
}

TEST(Numbers, Counted) {
  EXPECT_EQ(counted(1, "document"), "1 document");
  EXPECT_EQ(counted(0, "document"), "0 documents");
  EXPECT_EQ(counted(2310, "cluster"), "2,310 clusters");
}

}  // namespace
}  // namespace neardup::report
