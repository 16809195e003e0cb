// Figures as people read them, read back: what is shown is never further off than its last digit. Sums and bars against
// plain loops.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "neardup/report/numbers.h"
#include "neardup/report/tally.h"
#include "tests/unit/report/sample_report.h"

namespace neardup::report {
namespace {

// Values around every power of ten and of two, and random ones of every size.
std::vector<uint64_t> telling_values() {
  std::vector<uint64_t> values = {0, ~uint64_t{0}};
  for (uint64_t ten = 1; ten <= 1'000'000'000'000'000'000; ten *= 10) {
    for (const uint64_t value : {ten - 1, ten, ten + 1, ten / 2 * 19, ten * 9 + ten / 10 * 9 + ten / 20}) {
      values.push_back(value);
    }
    if (ten == 1'000'000'000'000'000'000) break;
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) values.push_back(random() >> random() % 64);
  return values;
}

double unit_of(char letter) {
  const std::string units = "kMGTPE";
  const size_t at = units.find(letter);
  return at == std::string::npos ? 1 : std::pow(1000, static_cast<double>(at) + 1);
}

TEST(ShownFigures, AShortCountIsShortAndWithinItsLastDigit) {
  for (const uint64_t value : telling_values()) {
    const std::string shown = short_count(value);
    EXPECT_LE(shown.size(), 4U) << value;
    const double read_back = std::strtod(shown.c_str(), nullptr) * unit_of(shown.back());
    EXPECT_NEAR(read_back, static_cast<double>(value), 0.051 * static_cast<double>(value)) << shown;
  }
}

TEST(ShownFigures, BytesHaveThreeDigitsAndAUnit) {
  for (const uint64_t value : telling_values()) {
    const std::string shown = bytes(value);
    const std::string digits = shown.substr(0, shown.find(' '));
    EXPECT_LE(static_cast<int>(digits.size()), 4) << shown;
    EXPECT_TRUE(shown.ends_with('B'));
    const double read_back = std::strtod(digits.c_str(), nullptr) * unit_of(shown[shown.size() - 2]);
    EXPECT_NEAR(read_back, static_cast<double>(value), 0.00501 * static_cast<double>(value)) << shown;
  }
}

TEST(ShownFigures, OrderIsKept) {
  std::vector<uint64_t> values = telling_values();
  std::ranges::sort(values);
  double before = 0;
  for (const uint64_t value : values) {
    const std::string shown = bytes(value);
    const double read_back = std::strtod(shown.c_str(), nullptr) * unit_of(shown[shown.size() - 2]);
    EXPECT_GE(read_back, before * (1 - 1e-12)) << shown;
    before = read_back;
  }
}

TEST(ShownFigures, EveryPartOfAThousandIsItsShare) {
  for (uint64_t part = 1; part < 1000; ++part) {
    const std::string shown = percent(part, 1000);
    EXPECT_NEAR(std::strtod(shown.c_str(), nullptr), static_cast<double>(part) / 10, 0.0501) << shown;
  }
}

TEST(ShownFigures, NoPartIsNothingOrAllUnlessItIs) {
  for (const uint64_t whole : telling_values()) {
    for (const uint64_t part : {uint64_t{0}, uint64_t{1}, whole / 2, whole - 1, whole}) {
      if (part > whole) continue;
      const std::string shown = percent(part, whole);
      EXPECT_EQ(shown == "0 %", part == 0 || whole == 0) << part << " of " << whole;
      EXPECT_EQ(shown == "100 %", part == whole && whole > 0) << part << " of " << whole;
      EXPECT_NE(shown, "0.0 %");
      EXPECT_NE(shown, "100.0 %");
    }
  }
}

double seconds_in(const std::string& shown) {
  double total = 0;
  const char* at = shown.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    const std::string_view rest(end + 1);
    total += value * (rest.starts_with("h") ? 3600 : rest.starts_with("min") ? 60 : 1);
    at = end + 1 + rest.find_first_of(' ') + 1;
    if (rest.find(' ') == rest.npos) break;
  }
  return total;
}

TEST(ShownFigures, ADurationIsWithinItsLastDigit) {
  for (double seconds = 0.0006; seconds < 3.5e6; seconds *= 1.0137) {
    const std::string shown = duration(seconds);
    if (shown.find(',') != shown.npos) continue;  // thousands of hours
    const double slack = seconds < 1 ? 0.00051 : seconds < 60 ? 0.0051 * seconds : seconds < 3600 ? 0.51 : 31;
    EXPECT_NEAR(seconds_in(shown), seconds, slack) << shown;
    EXPECT_FALSE(shown.starts_with("60 min") || shown.starts_with("60.0 s")) << shown;
    EXPECT_EQ(shown.find(" 60 "), shown.npos) << shown;
  }
}

TEST(ShownFigures, ASimilarityHasTwoDecimalsAndOneIsOne) {
  for (int i = 0; i <= 10'000; ++i) {
    const double value = i / 10'000.0;
    const std::string shown = similarity(value);
    EXPECT_EQ(shown.size(), 4U);
    EXPECT_EQ(shown == "1.00", i == 10'000) << value;
    EXPECT_NEAR(std::strtod(shown.c_str(), nullptr), value, 0.01);
  }
}

TEST(ShownFigures, OneIsSingular) {
  for (const uint64_t count : telling_values()) EXPECT_EQ(counted(count, "pair").ends_with('s'), count != 1) << count;
}

TEST(ShownFigures, ARateTimesItsSecondsIsTheAmount) {
  EXPECT_EQ(rate(1000, 1), "1,000 /s");
  EXPECT_EQ(rate(0, 1), "0 /s");
  EXPECT_EQ(rate(1, 0.5, "pairs"), "2 pairs/s");
  for (const double none : {0.0, -1.0, 0.00009, std::nan(""), HUGE_VAL}) EXPECT_EQ(rate(7, none), "-") << none;
  EXPECT_EQ(byte_rate(1500, 1), "1.50 kB/s");
  EXPECT_EQ(byte_rate(~uint64_t{0}, 0.001), "18.4 EB/s") << "no more than can be counted";
}

TEST(ShownFigures, ShareOfNothingIsNothing) {
  EXPECT_EQ(share(0, 0), 0);
  EXPECT_EQ(share(7, 0), 0);
  EXPECT_EQ(share(3, 4), 0.75);
}

Tally random_tally(std::mt19937_64& random) {
  Tally tally =
      sample_tally("t" + std::to_string(random() % 100), random() % 90, random() % 9, random() % 90, random() % 3);
  tally.bytes_read = random() % 100'000;
  tally.bytes_removed = random() % (tally.bytes_read + 1);
  return tally;
}

TEST(SumOfTallies, IsMemberByMember) {
  std::mt19937_64 random(2);
  for (size_t count = 0; count < 20; ++count) {
    std::vector<Tally> tallies;
    for (size_t i = 0; i < count; ++i) tallies.push_back(random_tally(random));
    const Tally sum = sum_of(tallies, "all");
    uint64_t read = 0, gone = 0, saved = 0;
    for (const Tally& tally : tallies) read += tally.read, gone += removed(tally), saved += tally.bytes_removed;
    EXPECT_EQ(sum.name, "all");
    EXPECT_EQ(sum.read, read);
    EXPECT_EQ(removed(sum), gone);
    EXPECT_EQ(sum.bytes_removed, saved);
    EXPECT_EQ(sum.read, sum.kept + sum.exact + sum.near + sum.rejected) << "as each of them does";
  }
}

TEST(HistogramBars, HoldEveryNearDuplicateOnce) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    Report report;
    report.distance = static_cast<int>(random() % 20);
    if (round % 3 == 0) report.thresholds = {{static_cast<double>(random() % 100) / 100, ""}};
    uint64_t by_distance = 0, by_similarity = 0;
    for (size_t i = 0; i < 5; ++i) {
      const uint64_t count = random() % 100;
      report.distance_histogram[random() % 17] += count, by_distance += count;
      report.similarity_histogram[random() % 20] += count, by_similarity += count;
    }
    uint64_t sum = 0;
    const std::vector<Bar> distances = distance_bars(report), similarities = similarity_bars(report);
    for (const Bar& bar : distances) sum += bar.count;
    EXPECT_EQ(sum, by_distance);
    EXPECT_EQ(distances.front().label, "0");
    EXPECT_GE(distances.size(), static_cast<size_t>(std::min(report.distance, 16)) + 1);
    sum = 0;
    for (const Bar& bar : similarities) sum += bar.count;
    EXPECT_EQ(sum, by_similarity);
    EXPECT_EQ(similarities.back().label, ".95");
    EXPECT_LE(similarities.front().label, ".50");
  }
}

TEST(HistogramBars, EachClusterIsInTheBarOfItsSize) {
  for (uint64_t size = 2; size < 3000; ++size) {
    Report report;
    report.cluster_sizes = {{size, 7}};
    const std::vector<Bar> bars = cluster_size_bars(report);
    const size_t last = bars.size() - 1;
    EXPECT_EQ(bars[last].count, 7U);
    EXPECT_LE(size, uint64_t{1} << (last + 1)) << "at most its label";
    EXPECT_TRUE(last == 0 || size > uint64_t{1} << last) << "more than the label before";
    for (size_t i = 0; i < last; ++i) EXPECT_EQ(bars[i].count, 0U);
  }
  EXPECT_TRUE(cluster_size_bars({}).empty());
}

RC_GTEST_PROP(NumbersOfAny, HumanReadableAndNeverEmpty, (uint64_t value, double seconds)) {
  RC_ASSERT(!bytes(value).empty());
  RC_ASSERT(short_count(value).size() <= 4U);
  RC_ASSERT(!duration(seconds).empty());
  RC_ASSERT(!rate(value, seconds).empty());
  RC_ASSERT(similarity(seconds).size() == 4U);
}

}  // namespace
}  // namespace neardup::report
