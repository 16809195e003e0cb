// The join against the linear scan: every distance, every number of threads, sets of every shape.
#include "tests/agree/join/linear_scan.h"

#include <gtest/gtest.h>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

// All values of `bits` bits, spread over 64 positions in different ways.
Set universe(int bits, int way) {
  Set set;
  for (uint64_t value = 0; value < (uint64_t{1} << bits); ++value) {
    uint64_t spread = 0;
    for (int bit = 0; bit < bits; ++bit) {
      const int at = way == 0 ? bit : way == 1 ? 63 - bit : way == 2 ? bit * 64 / bits : (bit * 29 + 7) % 64;
      spread |= (value >> bit & 1) << at;
    }
    set.push_back(way == 3 ? spread ^ 0x5555555555555555 : spread);
  }
  return set;
}

TEST(LinearScan, WholeUniverse) {
  for (const int bits : {8, 9, 10}) {
    for (int way = 0; way < 4; ++way) {
      const Set set = universe(bits, way);
      const Pairs all = linear_self_join(set, bits);
      for (int k = 0; k <= fingerprint::kMaxDistance; ++k) {
        if (bits > 8 && k > 4 && k % 5 != 0) continue;
        expect_same(within(all, k), fast_self_join(set, options_for(k)),
                    "bits " + std::to_string(bits) + " way " + std::to_string(way) + " k " + std::to_string(k));
      }
    }
  }
}

TEST(LinearScan, LargeUniverseSmallDistance) {
  for (int way = 0; way < 4; ++way) {
    const Set set = universe(12, way);
    const Pairs all = linear_self_join(set, 2);
    for (int k = 0; k <= 2; ++k) expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), "");
  }
}

TEST(LinearScan, RandomWithNeighbours) {
  for (int k = 0; k <= fingerprint::kMaxDistance; ++k) {
    for (const size_t size : {0, 1, 2, 3, 7, 8, 9, 100, 3000}) {
      const Set set = random_set(size, k, 17 * size + k);
      const Pairs expected = linear_self_join(set, k);
      for (const int threads : {1, 2, 3, 8}) {
        expect_same(expected, fast_self_join(set, options_for(k, threads)),
                    "size " + std::to_string(size) + " k " + std::to_string(k));
      }
    }
  }
}

TEST(LinearScan, LargeEnoughForTables) {
  const Set set = random_set(20000, 3, 5);
  const Pairs all = linear_self_join(set, 16);
  for (const int k : {0, 1, 2, 3, 4, 6, 8, 10, 12, 16}) {
    expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), "k " + std::to_string(k));
  }
}

TEST(LinearScan, CrossJoin) {
  for (int k = 0; k <= fingerprint::kMaxDistance; ++k) {
    Set both = random_set(4000, k, 99 + k);
    for (const size_t cut : {0, 1, 100, 2000, 3990, 4000}) {
      const Set left(both.begin(), both.begin() + cut), right(both.begin() + cut, both.end());
      expect_same(linear_cross_join(left, right, k), fast_cross_join(left, right, options_for(k, 2)),
                  "cut " + std::to_string(cut) + " k " + std::to_string(k));
    }
  }
}

TEST(LinearScan, LargeCrossJoin) {
  const Set left = random_set(10000, 3, 5);
  Set right = random_set(3000, 3, 6);
  for (size_t i = 0; i < left.size(); i += 7) right.push_back(left[i] ^ (i * 0x100401));
  const Pairs all = linear_cross_join(left, right, 11);
  for (const int k : {0, 1, 3, 5, 8, 11}) {
    expect_same(within(all, k), fast_cross_join(left, right, options_for(k, 3)), "k " + std::to_string(k));
  }
}

TEST(LinearScan, AllEqual) {
  const Set set(500, 0x123456789abcdef0);
  for (const int k : {0, 3, 16}) expect_same(linear_self_join(set, k), fast_self_join(set, options_for(k, 2)), "");
  for (const int k : {0, 3}) expect_same(linear_cross_join(set, set, k), fast_cross_join(set, set, options_for(k)), "");
}

TEST(LinearScan, OneBitFamilies) {
  Set set;
  for (int centre = 0; centre < 40; ++centre) {
    const uint64_t value = mix64(centre);
    for (int bit = 0; bit < 64; ++bit) set.push_back(value ^ (uint64_t{1} << bit));
    set.push_back(value);
  }
  const Pairs all = linear_self_join(set, 7);
  for (const int k : {0, 1, 2, 3, 7}) {
    expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), "k " + std::to_string(k));
  }
}

TEST(LinearScan, Clusters) {
  for (const size_t cluster : {10, 1000, 4000}) {
    for (const int radius : {4, 12, 24}) {
      const Set set = clustered_set(4000, cluster, radius, cluster + radius);
      const Pairs all = linear_self_join(set, 10);
      for (const int k : {1, 3, 6, 10}) {
        expect_same(within(all, k), fast_self_join(set, options_for(k, 2)),
                    "cluster " + std::to_string(cluster) + " k " + std::to_string(k));
      }
    }
  }
}

// Fingerprints whose upper bits hardly vary: everything is in few buckets of the first table.
TEST(LinearScan, HotBuckets) {
  for (const uint64_t varying : Set{0x00000000ffffffff, 0xffffffff00000000, 0x0000ffff00ff00ff, 0xffff00000000ffff}) {
    Set set = random_set(10000, 3, varying);
    for (size_t i = 0; i < set.size(); ++i) set[i] = i % 10 == 0 ? set[i] : set[i] & varying;
    const Pairs all = linear_self_join(set, 5);
    for (const int k : {1, 3, 5}) {
      expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), "k " + std::to_string(k));
    }
  }
}

}  // namespace
}  // namespace neardup::join
