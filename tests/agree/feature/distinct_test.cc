// The table of distinct values against a std::map, on every instruction set of this machine.
#include "neardup/feature/distinct.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::feature {
namespace {

void expect_agrees(DistinctTable& table, const std::vector<uint64_t>& values) {
  std::unordered_map<uint64_t, uint32_t> counts;
  std::vector<uint64_t> in_order;
  for (const uint64_t value : values) {
    if (++counts[value] == 1) in_order.push_back(value);
  }
  const auto distinct = table.distinct(values);
  ASSERT_EQ(std::vector<uint64_t>(distinct.begin(), distinct.end()), in_order);

  const Counted counted = table.count(values);
  ASSERT_EQ(counted.hashes.size(), in_order.size());
  ASSERT_EQ(counted.counts.size(), in_order.size());
  for (size_t i = 0; i < in_order.size(); ++i) ASSERT_EQ(counted.counts[i], counts.at(counted.hashes[i]));
  // In order of first occurrence, but the hash 0 comes last.
  std::vector<uint64_t> expected = in_order;
  if (std::erase(expected, 0) > 0) expected.push_back(0);
  ASSERT_EQ(std::vector<uint64_t>(counted.hashes.begin(), counted.hashes.end()), expected);
}

class DistinctValues : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(DistinctValues, EverySequenceOfFourValues) {
  DistinctTable table;
  const std::vector<uint64_t> universe = {0, 1, 2, ~uint64_t{0}};  // 0 marks empty slots; 1 and 2 share a home
  for (size_t length = 0; length <= 6; ++length) {
    for (uint64_t code = 0; code < uint64_t{1} << (2 * length); ++code) {
      std::vector<uint64_t> values;
      for (size_t i = 0; i < length; ++i) values.push_back(universe[code >> (2 * i) & 3]);
      expect_agrees(table, values);
    }
  }
}

TEST_P(DistinctValues, RandomOnesOfAllSizes) {
  DistinctTable table;
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const size_t size = random() % (round % 10 == 0 ? 20000 : 500);
    const uint64_t vocabulary = 1 + random() % 3000;
    std::vector<uint64_t> values(size);
    for (uint64_t& value : values) value = mix64(random() % vocabulary);
    expect_agrees(table, values);
  }
}

TEST_P(DistinctValues, ValuesThatMeetInOneSlot) {
  DistinctTable table;
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < 500; ++i) values.push_back(~uint64_t{0} - i % 150);  // at the end of the table: wraps around
  expect_agrees(table, values);
}

TEST_P(DistinctValues, ManyThatWereChosenToMeetAreSorted) {
  DistinctTable table;
  std::vector<uint64_t> values;  // minutes, where each looks for its place behind all others
  for (uint64_t i = 0; i < 2'000'000; ++i) values.push_back(i / 2);
  std::vector<uint64_t> expected(values.size() / 2);
  std::iota(expected.begin(), expected.end(), 0);
  std::reverse(values.begin(), values.end());
  const auto distinct = table.distinct(values);
  ASSERT_EQ(std::vector<uint64_t>(distinct.begin(), distinct.end()), expected);
  const Counted counted = table.count(values);
  ASSERT_EQ(std::vector<uint64_t>(counted.hashes.begin(), counted.hashes.end()), expected);
  ASSERT_EQ(std::count(counted.counts.begin(), counted.counts.end(), 2U), 1'000'000);
  expect_agrees(table, {3, 1, 3, 2});  // and the next document is as ever
}

TEST(SparingDistinctValues, AreThoseOfTheTableInAscendingOrder) {
  DistinctTable table, sparing;
  sparing.spare_memory();
  std::mt19937_64 random(3);
  for (size_t size : {0, 1, 2, 3, 10, 1000, 30000}) {
    std::vector<uint64_t> values(size);
    for (uint64_t& value : values) value = random() % 4 == 0 ? 0 : mix64(random() % (size / 2 + 1));
    std::map<uint64_t, uint32_t> expected;
    for (const uint64_t value : values) ++expected[value];
    const auto distinct = sparing.distinct(values);
    ASSERT_TRUE(std::equal(distinct.begin(), distinct.end(), expected.begin(), expected.end(),
                           [](uint64_t value, const auto& entry) { return value == entry.first; }));
    const Counted counted = sparing.count(values);
    ASSERT_EQ(counted.hashes.size(), expected.size());
    ASSERT_EQ(counted.counts.size(), expected.size());
    for (size_t i = 0; i < counted.hashes.size(); ++i)
      ASSERT_EQ(counted.counts[i], expected.at(counted.hashes[i])) << "value " << i << " of " << size;
    ASSERT_TRUE(std::is_sorted(counted.hashes.begin(), counted.hashes.end()));
    ASSERT_EQ(table.distinct(values).size(), expected.size());
  }
}

TEST_P(DistinctValues, LargeOnesThatPrefetch) {
  DistinctTable table;
  std::mt19937_64 random(2);
  std::vector<uint64_t> values(100000);
  for (uint64_t& value : values) value = mix64(random() % 70000);
  expect_agrees(table, values);
}

INSTANTIATE_TEST_SUITE_P(Targets, DistinctValues, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

}  // namespace
}  // namespace neardup::feature
