#include "neardup/engine/match/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace neardup::engine {
namespace {

constexpr int kValues = 128;
using Signatures = std::vector<uint16_t>;

// Texts of `num_families`, member after member of each in turn; a member has about `same` of 128 values of its family.
Signatures families(uint32_t num_families, uint32_t members, uint32_t same, uint32_t seed) {
  std::mt19937 random(seed);
  Signatures heads(size_t{num_families} * kValues);
  for (uint16_t& value : heads) value = static_cast<uint16_t>(random());
  Signatures rows;
  for (uint32_t member = 0; member < members; ++member)
    for (uint32_t family = 0; family < num_families; ++family)
      for (size_t i = 0; i < kValues; ++i)
        rows.push_back(member == 0 || random() % kValues < same ? heads[family * kValues + i]
                                                                : static_cast<uint16_t>(random()));
  return rows;
}

size_t equal_values(const Signatures& rows, size_t a, size_t b) {
  size_t equal = 0;
  for (size_t i = 0; i < kValues; ++i) equal += rows[a * kValues + i] == rows[b * kValues + i];
  return equal;
}

std::vector<uint32_t> counted_of(const Signatures& rows, uint64_t memory_bytes, int num_threads) {
  const auto counted = counted_rows(join::signatures_in_memory(rows, kValues), {memory_bytes, num_threads}, {});
  EXPECT_TRUE(counted);
  return *counted;
}

TEST(Families, TheFirstOfEachCountOnce) {
  const Signatures rows = families(300, kFamilyMembers, 112, 1);
  const std::vector<uint32_t> counted = counted_of(rows, 1 << 30, 1);
  ASSERT_EQ(counted.size(), 300U);
  for (uint32_t i = 0; i < counted.size(); ++i) EXPECT_EQ(counted[i], i) << "the first of each";
}

TEST(Families, FurtherMembersCountForThemselves) {
  const Signatures rows = families(100, kFamilyMembers + 5, 122, 1);
  std::vector<uint32_t> expected(600);
  std::iota(expected.begin(), expected.begin() + 100, 0U);
  std::iota(expected.begin() + 100, expected.end(), 100 * kFamilyMembers);
  EXPECT_EQ(counted_of(rows, 1 << 30, 1), expected);
}

TEST(Families, WhatIsLessAlikeStandsForItself) {
  const Signatures rows = families(200, 3, 51, 2);
  EXPECT_EQ(counted_of(rows, 1 << 30, 2).size(), 600U);
}

// Every text that does not stand is as alike as is asked for to an earlier one that does; heads may be missed by the
// bands, but rarely.
TEST(Families, AgreeWithTheDefinition) {
  const Signatures rows = families(150, 6, 90, 3);
  const std::vector<uint32_t> heads = counted_of(rows, 1 << 30, 2);
  const auto least = static_cast<size_t>(std::ceil(kFamilySimilarity * kValues));
  size_t num_missed = 0, next = 0;
  for (uint32_t row = 0; row < rows.size() / kValues; ++row) {
    const bool stands = next < heads.size() && heads[next] == row;
    const bool has_family = std::any_of(heads.begin(), heads.begin() + static_cast<ptrdiff_t>(next),
                                        [&](uint32_t head) { return equal_values(rows, head, row) >= least; });
    EXPECT_TRUE(stands || has_family) << row;
    num_missed += stands && has_family;
    next += stands;
  }
  EXPECT_GT(heads.size(), 200U);
  EXPECT_LT(heads.size(), 800U);
  EXPECT_LT(num_missed, 90U);
}

TEST(Families, AreTheSameForAnyMemoryAndThreads) {
  const Signatures rows = families(2000, 6, 100, 4);
  const std::vector<uint32_t> expected = counted_of(rows, 1 << 30, 1);
  for (const int threads : {2, 5}) EXPECT_EQ(counted_of(rows, 1 << 30, threads), expected);
  EXPECT_EQ(counted_of(rows, 0, 3), expected) << "in parts";
}

TEST(Families, NoneOfNone) { EXPECT_TRUE(counted_of({}, 1 << 20, 1).empty()); }

}  // namespace
}  // namespace neardup::engine
