// The kernels for small distances against two nested loops, on every instruction set of this machine.
#include "neardup/match/narrow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "neardup/match/kernels.h"
#include "tests/agree/match/collected.h"

namespace neardup::match {
namespace {

constexpr int kBits = 4;
constexpr int kRotation = 13;

/// Buckets of one part by the 4 highest bits of the rotated value, and the same as plain lists.
struct Table {
  std::vector<std::vector<uint64_t>> lists{1 << kBits};
  std::vector<uint32_t> words;
  std::vector<NarrowRange> ranges;
  uint32_t distance_to_high = 0;

  // Few bits vary, so that every distance occurs; the same values follow the table and must not be found.
  Table(size_t max_bucket, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<uint32_t> highs;
    for (uint64_t x = 0; x < lists.size(); ++x) {
      const auto begin = static_cast<uint32_t>(words.size());
      for (size_t size = random() % (max_bucket + 1); size > 0; --size) {
        const uint64_t rotated = (random() & random() & 0x000100f0000f0303) | x << 60;
        lists[x].push_back(std::rotr(rotated, kRotation));
        words.push_back(static_cast<uint32_t>(rotated));
        highs.push_back(static_cast<uint32_t>(rotated >> 32));
      }
      ranges.push_back({begin, static_cast<uint32_t>(words.size())});
    }
    distance_to_high = static_cast<uint32_t>(words.size());
    words.insert(words.end(), highs.begin(), highs.end());
    words.resize(words.size() + kNarrowPadding);
  }
  [[nodiscard]] NarrowBuckets buckets() const {
    return {words.data(), ranges.data(), &distance_to_high, kBits, kRotation};
  }
};

class Narrow : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(force_kernel_target(GetParam())); }
  void TearDown() override { force_kernel_target(""); }
};

void add_hits(const std::vector<uint64_t>& left, const std::vector<uint64_t>& right, int max_distance, Hits& hits) {
  for (const uint64_t a : left) {
    for (const uint64_t b : right) {
      if (fingerprint::distance(a, b) <= max_distance) hits.emplace_back(a, b);
    }
  }
}

const std::vector<uint32_t> kOne{1, 2, 4, 8}, kTwo{3, 5, 6, 9, 10, 12};

TEST_P(Narrow, FindsWhatTheGroupsName) {
  for (const size_t most : {0, 1, 2, 7, 8, 9, 20, 70}) {
    const Table left(most, most), right(most + 3, most + 99);
    for (int k = 0; k <= kMaxNarrowDistance; ++k) {
      const std::vector<uint32_t> same{0};
      std::vector<NarrowMasks> groups{{same, 0, false}};
      if (k > 0) groups.push_back({kOne, 1, false});
      if (k > 1) groups.push_back({kTwo, 2, true});
      std::vector<uint32_t> scratch(6);
      Collected found;
      scan_narrow({left.buckets(), right.buckets(), 1, 15, groups, false, UINT32_MAX, scratch.data()}, k,
                  found.buffer());
      Hits expected;
      for (uint32_t x = 1; x < 15; ++x) {
        add_hits(left.lists[x], right.lists[x], k, expected);
        for (const uint32_t mask : kOne) add_hits(left.lists[x], right.lists[x ^ mask], k, expected);
        for (const uint32_t mask : kTwo) {
          if ((x ^ mask) > x && k > 1) add_hits(left.lists[x], right.lists[x ^ mask], k, expected);
        }
      }
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(found.sorted(), expected) << "buckets up to " << most << " k " << k;
    }
  }
}

TEST_P(Narrow, FindsEachPairInsideOnceAndSkipsLargeBuckets) {
  for (const size_t most : {1, 2, 7, 8, 9, 16, 17, 33, 200}) {
    const Table table(most, most);
    for (const uint32_t max_bucket : {UINT32_MAX, 20U}) {
      for (int k = 0; k <= kMaxNarrowDistance; ++k) {
        Collected found;
        scan_narrow({table.buckets(), table.buckets(), 0, 16, {}, true, max_bucket, nullptr}, k, found.buffer());
        Hits expected;
        for (const auto& list : table.lists) {
          for (size_t i = 0; i < list.size() && list.size() <= max_bucket; ++i) {
            for (size_t j = i + 1; j < list.size(); ++j) {
              if (fingerprint::distance(list[i], list[j]) <= k) expected.emplace_back(list[i], list[j]);
            }
          }
        }
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found.sorted(), expected) << "buckets up to " << most << " k " << k;
      }
    }
  }
}

TEST_P(Narrow, SeesEqualWords) {
  std::vector<uint32_t> words;
  std::vector<NarrowRange> ranges;
  std::vector<bool> expected;
  for (uint32_t size = 0; size < 40; ++size) {
    for (uint32_t a = 0; a < std::max(size, 1U); a += 1 + size / 9) {
      for (uint32_t b = a; b < std::max(size, 1U); b += 1 + size / 7) {
        const auto begin = static_cast<uint32_t>(words.size());
        for (uint32_t i = 0; i < size; ++i) words.push_back(i * 77777);
        if (size > 0) words[begin + b] = words[begin + a];
        ranges.push_back({begin, begin + size});
        expected.push_back(a != b);
      }
    }
  }
  words.resize(words.size() + kNarrowPadding);
  const auto count = static_cast<uint32_t>(ranges.size());
  std::vector<bool> found(count);
  for (uint32_t x = 0; (x = next_with_equal_words(words.data(), ranges.data(), x, count)) < count; ++x) found[x] = true;
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Targets, Narrow, ::testing::ValuesIn(kernel_targets()));

}  // namespace
}  // namespace neardup::match
