#include "neardup/feature/count_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"

namespace neardup::feature {
namespace {

TEST(CountTable, CountsLikeAMapAndSortsByHash) {
  std::mt19937_64 random(7);
  CountTable table;
  std::map<uint64_t, uint32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t hash = random() % 50 == 0 ? 0 : mix64(random() % 3000);
    const auto count = static_cast<uint32_t>(random() % 5);
    table.add(hash, count);
    if (count > 0 || hash != 0) expected[hash] += count;
  }
  std::map<uint64_t, uint32_t> found;
  uint64_t last = 0;
  const Status status = table.for_each_sorted_part([&](const std::vector<HashCount>& part) -> Status {
    for (const HashCount& counted : part) {
      EXPECT_TRUE(found.empty() || counted.hash > last);
      last = counted.hash;
      found[counted.hash] = counted.count;
    }
    return {};
  });
  ASSERT_TRUE(status);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(table.size(), expected.size());
  table.clear();
  EXPECT_EQ(table.size(), 0U);
}

TEST(CountTable, CountsStayAtTheirGreatestValue) {
  CountTable table;
  for (const uint64_t hash : {uint64_t{0}, mix64(1)}) {
    table.add(hash, std::numeric_limits<uint32_t>::max() - 1);
    table.add(hash, 5);
  }
  table.for_each([](uint64_t, uint32_t count) { EXPECT_EQ(count, std::numeric_limits<uint32_t>::max()); });
}

TEST(CountTable, TheFirstErrorEndsTheWalk) {
  CountTable table;
  for (uint64_t i = 0; i < 1000; ++i) table.add(mix64(i), 1);
  int calls = 0;
  const Status status = table.for_each_sorted_part([&](const std::vector<HashCount>&) -> Status {
    return ++calls == 3 ? Status(fail(Code::kIo, "third")) : Status();
  });
  EXPECT_FALSE(status);
  EXPECT_EQ(calls, 3);
}

TEST(CountTable, HashesThatWereChosenToMeetAreFound) {
  CountTable table;  // minutes, where each looks for its place behind all others
  constexpr uint64_t kHashes = 500'000;
  for (int round = 0; round < 2; ++round)
    for (uint64_t i = 0; i < kHashes; ++i) table.add(uint64_t{1} << 60 | i, 1);
  EXPECT_EQ(table.size(), kHashes);
}

}  // namespace
}  // namespace neardup::feature
