// Sorting in a table against std::sort and std::unique, on every instruction set of the machine.
#include "neardup/verify/sort_distinct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/agree/each_target.h"

namespace neardup::verify::sort_distinct_test {
namespace {

using Hashes = std::vector<uint32_t>;

Hashes by_definition(Hashes hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

void expect_sorted(const Hashes& hashes) {
  Hashes sorted = hashes;
  sort_distinct(sorted);
  ASSERT_EQ(sorted, by_definition(hashes)) << hashes.size() << " hashes";
}

void sort_all_kinds() {
  std::mt19937 random(5);
  for (const size_t size : {0, 1, 2, 3, 15, 16, 17, 31, 33, 64, 200, 1000, 4096, 65536, 65537, 200'000}) {
    // All bits; few values; all in the first, in the last places of the table; only the value that marks a gap beside.
    for (const uint32_t mask : {0xFFFFFFFFU, 0x0000000FU, 0x000000FFU, 0xF000000FU, 0U}) {
      for (const uint32_t high : {0U, 0xFFFFFF00U, 0xFFFFFFFFU}) {
        Hashes hashes(size);
        for (uint32_t& hash : hashes) hash = (static_cast<uint32_t>(random()) & mask) | (random() % 2 == 0 ? high : 0);
        expect_sorted(hashes);
      }
    }
  }
}

TEST(SortDistinct, AgreesWithTheDefinitionOnEveryTarget) { on_each_target(sort_all_kinds); }

TEST(SortDistinct, AscendingAndDescendingRuns) {
  Hashes hashes;
  for (uint32_t i = 0; i < 3000; ++i) hashes.push_back(0x80000000U + i);
  expect_sorted(hashes);
  std::reverse(hashes.begin(), hashes.end());
  expect_sorted(hashes);
}

TEST(SortDistinct, HashesThatWereChosenToMeet) {
  std::mt19937 random(6);
  for (int round = 0; round < 100; ++round) {  // minutes, where each looks for its place behind all others
    Hashes hashes(65536);
    for (uint32_t& hash : hashes) hash = (random() % 2 == 0 ? 0x12340000U : 0xFFFF0000U) | (random() & 0xFFFF);
    expect_sorted(hashes);
  }
}

}  // namespace
}  // namespace neardup::verify::sort_distinct_test
