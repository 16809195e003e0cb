// Clusters without a list of pairs against those made from the list.
#include <gtest/gtest.h>

#include <numeric>

#include "neardup/cluster/cluster_join.h"
#include "neardup/fingerprint/made_up.h"
#include "neardup/join/pair.h"
#include "tests/agree/join/linear_scan.h"

namespace neardup::join {
namespace {

using cluster::cluster_join;
using cluster::ClusterKind;
using Kept = std::vector<uint32_t>;

// The definition of cluster::star_clusters, from pairs in any order.
Kept stars_of(size_t size, Pairs pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& x, const Pair& y) { return std::pair(x.b, x.a) < std::pair(y.b, y.a); });
  Kept kept(size);
  std::iota(kept.begin(), kept.end(), 0);
  for (const Pair& pair : pairs) {
    if (kept[pair.b] == pair.b && kept[pair.a] == pair.a) kept[pair.b] = static_cast<uint32_t>(pair.a);
  }
  return kept;
}

Kept components_of(size_t size, const Pairs& pairs) {
  Kept root(size);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Pair& pair : pairs) {
    const uint32_t a = find(static_cast<uint32_t>(pair.a)), b = find(static_cast<uint32_t>(pair.b));
    root[std::max(a, b)] = std::min(a, b);
  }
  for (uint32_t i = 0; i < size; ++i) root[i] = find(i);
  return root;
}

void expect_clusters(const Set& set, int k, int num_threads, const Pairs& pairs) {
  const auto stars = cluster_join(set, ClusterKind::kStar, options_for(k, num_threads));
  ASSERT_TRUE(stars);
  EXPECT_TRUE(*stars == stars_of(set.size(), pairs)) << "stars, k " << k;
  const auto components = cluster_join(set, ClusterKind::kComponents, options_for(k, num_threads));
  ASSERT_TRUE(components);
  EXPECT_TRUE(*components == components_of(set.size(), pairs)) << "components, k " << k;
}

TEST(ClusterJoin, AgreesWithTheListWherePairsAreFew) {
  for (const size_t size : {0, 1, 2, 300, 5000}) {
    const Set set = random_set(size, 4, size);
    const Pairs all = linear_self_join(set, 10);
    for (const int k : {0, 1, 3, 5, 10}) expect_clusters(set, k, 2, within(all, k));
  }
}

// Millions of pairs among thousands: the list is given up, ranges are halved, the border is looked at.
TEST(ClusterJoin, AgreesWithTheListWherePairsAreMany) {
  for (const size_t cluster : {3000, 1700}) {
    for (const int radius : {2, 4, 7}) {
      const Set set = clustered_set(3000, cluster, radius, cluster + radius);
      const Pairs all = linear_self_join(set, 13);
      for (const int k : {3, 8, 13}) expect_clusters(set, k, 2, within(all, k));
    }
  }
}

// Balls that touch in few places: whether two are one component hangs on a single pair far from both centres.
TEST(ClusterJoin, SeesEveryBridge) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 4; ++round) {
    Set set;
    uint64_t centre = random();
    for (int ball = 0; ball < 3; ++ball) {
      for (int i = 0; i < 1000; ++i) set.push_back(flip_bits(centre, static_cast<int>(random() % 3), random));
      centre = flip_bits(centre, 4 + round, random);
    }
    std::shuffle(set.begin(), set.end(), random);
    const Pairs all = linear_self_join(set, 4);
    for (const int k : {3, 4}) expect_clusters(set, k, 2, within(all, k));
  }
}

// Many balls whose neighbours lie a little more than k apart, so that few pairs unite them, or none.
TEST(ClusterJoin, SeesEveryBridgeOfManyBallsAtLargeDistances) {
  for (const int k : {6, 9, 10, 13, 16}) {
    for (const int gap : {1, 3}) {
      std::mt19937_64 random(static_cast<uint64_t>(10 * k + gap));
      Set set;
      uint64_t centre = random();
      for (int ball = 0; ball < 12; ++ball) {
        for (int i = 0; i < 600; ++i) set.push_back(flip_bits(centre, static_cast<int>(random() % 3), random));
        centre = flip_bits(centre, k + gap, random);
      }
      for (int i = 0; i < 500; ++i) set.push_back(random());
      std::shuffle(set.begin(), set.end(), random);
      expect_clusters(set, k, 2, linear_self_join(set, k));
    }
  }
}

// Five thousand million pairs: only a join that does not list them ends in seconds.
TEST(ClusterJoin, TightClustersEndAtLargeDistances) {
  std::mt19937_64 random(3);
  const uint64_t centre = random();
  Set set;
  for (int i = 0; i < 100'000; ++i) set.push_back(flip_bits(centre, static_cast<int>(random() % 6), random));
  set.push_back(flip_bits(centre, 40, random));
  for (const int k : {10, 16}) {
    const auto kept = cluster_join(set, ClusterKind::kComponents, options_for(k, 2));
    ASSERT_TRUE(kept);
    EXPECT_EQ(std::ranges::count(*kept, 0U), 100'000);
    EXPECT_EQ(kept->back(), 100'000U);
  }
}

TEST(ClusterJoin, MillionsOfEqualOnes) {
  Set set(2'000'000, 77);
  set[500'000] = 77 ^ 0xf;
  set.push_back(~uint64_t{0});
  const auto kept = cluster_join(set, ClusterKind::kStar, options_for(3, 2));
  ASSERT_TRUE(kept);
  EXPECT_EQ((*kept)[1'999'999], 0U);
  EXPECT_EQ((*kept)[500'000], 500'000U);
  EXPECT_EQ(kept->back(), 2'000'000U);
}

TEST(ClusterJoin, ThreadsChangeNothing) {
  const Set set = fingerprint::make_fingerprints(30'000, fingerprint::Spread::kClustered, 3);
  for (const ClusterKind kind : {ClusterKind::kStar, ClusterKind::kComponents}) {
    const auto one = cluster_join(set, kind, options_for(3, 1)), three = cluster_join(set, kind, options_for(3, 3));
    ASSERT_TRUE(one && three);
    EXPECT_TRUE(*one == *three);
  }
}

TEST(ClusterJoin, RefusesBadDistancesAndStops) {
  EXPECT_EQ(cluster_join(Set{1, 2}, ClusterKind::kStar, options_for(17)).error().code, Code::kInvalidArgument);
  const std::atomic<bool> cancel = true;
  JoinOptions options = options_for(3);
  options.context.cancel = &cancel;
  EXPECT_EQ(cluster_join(random_set(1000, 3, 1), ClusterKind::kComponents, options).error().code, Code::kCancelled);
}

}  // namespace
}  // namespace neardup::join
