// The kernels against two nested loops, on every instruction set of this machine and every small size.
#include "neardup/match/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/agree/match/collected.h"

namespace neardup::match {
namespace {

using List = std::vector<fingerprint::Fingerprint>;

// Few bits vary, so that every distance occurs; what follows the list must not be found.
List padded(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  List list;
  for (size_t i = 0; i < size + kPadding; ++i) list.push_back(random() & random() & 0xf0f00000ff00000f);
  return list;
}

Hits all_hits(std::span<const uint64_t> left, std::span<const uint64_t> right, int max_distance) {
  Hits hits;
  for (const uint64_t a : left) {
    for (const uint64_t b : right) {
      if (fingerprint::distance(a, b) <= max_distance) hits.emplace_back(a, b);
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

class Match : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(force_kernel_target(GetParam())); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(Match, RunsOnTheInstructionSetThatIsForced) { EXPECT_EQ(kernel_target(), GetParam()); }

TEST_P(Match, ListsOfEverySize) {
  for (size_t left_size = 0; left_size <= 19; ++left_size) {
    for (size_t right_size = 0; right_size <= 19; ++right_size) {
      const List left = padded(left_size, left_size), right = padded(right_size, 100 + right_size);
      const std::span<const uint64_t> a(left.data(), left_size), b(right.data(), right_size);
      for (const int k : {0, 1, 3, 7, 16}) {
        Collected found;
        match_lists(a, b, k, found.buffer());
        EXPECT_EQ(found.sorted(), all_hits(a, b, k)) << left_size << " x " << right_size << " k " << k;
      }
    }
  }
}

TEST_P(Match, SelfOfEverySize) {
  for (size_t size = 0; size <= 70; ++size) {
    const List list = padded(size, size);
    for (const int k : {0, 2, 5, 16}) {
      Hits expected;
      for (size_t i = 0; i < size; ++i) {
        for (size_t j = i + 1; j < size; ++j) {
          if (fingerprint::distance(list[i], list[j]) <= k) expected.emplace_back(list[i], list[j]);
        }
      }
      std::sort(expected.begin(), expected.end());
      Collected found;
      match_self({list.data(), size}, k, found.buffer());
      EXPECT_EQ(found.sorted(), expected) << size << " k " << k;
    }
  }
}

TEST_P(Match, MoreHitsThanTheBufferHolds) {
  const List list(100 + kPadding, 5);
  Collected found;
  match_lists({list.data(), 100}, {list.data(), 100}, 0, found.buffer());
  EXPECT_EQ(found.sorted().size(), 10000U);
}

// 16 buckets of 0..30 keys, in both roles.
struct Tables {
  List keys;
  std::vector<uint32_t> offsets{0};
  explicit Tables(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int bucket = 0; bucket < 16; ++bucket)
      offsets.push_back(offsets.back() + static_cast<uint32_t>(random() % 31));
    keys = padded(offsets.back(), seed);
  }
  [[nodiscard]] Buckets view() const { return {keys.data(), offsets.data()}; }
};

Hits expected_hits(const Buckets& left, const Buckets& right, const BucketScan& scan, int k) {
  Hits hits;
  const auto add = [&](uint32_t x, uint32_t y) {
    const Hits some = all_hits(left[x], right[y], k);
    hits.insert(hits.end(), some.begin(), some.end());
  };
  for (uint32_t x = scan.begin; x < scan.end; ++x) {
    if (left.size(x) > scan.max_bucket) continue;
    for (const uint32_t mask : scan.masks) add(x, x ^ mask);
    for (const uint32_t mask : scan.upper_masks) {
      if ((x ^ mask) > x) add(x, x ^ mask);
    }
    for (size_t i = 0; scan.inside && i < left.size(x); ++i) {
      for (size_t j = i + 1; j < left.size(x); ++j) {
        if (fingerprint::distance(left[x][i], left[x][j]) <= k) hits.emplace_back(left[x][i], left[x][j]);
      }
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

TEST_P(Match, Buckets) {
  const std::vector<uint32_t> masks{0, 3, 8, 15}, upper{1, 2, 4, 12};
  std::vector<uint32_t> scratch(8);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Tables left(seed), right(seed + 100);
    BucketScan scan{left.view(), right.view(), 2, 15, masks, upper, false, UINT32_MAX, scratch.data()};
    for (const int k : {0, 3, 8}) {
      for (const uint32_t max_bucket : {UINT32_MAX, 12U}) {
        scan.max_bucket = max_bucket;
        Collected found;
        scan_buckets(scan, k, found.buffer());
        EXPECT_EQ(found.sorted(), expected_hits(left.view(), right.view(), scan, k));
      }
    }
    scan.right = scan.left;
    scan.inside = true;
    Collected found;
    scan_buckets(scan, 3, found.buffer());
    EXPECT_EQ(found.sorted(), expected_hits(left.view(), left.view(), scan, 3));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, Match, ::testing::ValuesIn(kernel_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace neardup::match
