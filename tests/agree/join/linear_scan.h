// The slowest obvious join, and sets of fingerprints to try it on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <vector>

#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::join {

using Set = std::vector<fingerprint::Fingerprint>;
using Pairs = std::vector<Pair>;

inline Pairs linear_self_join(const Set& set, int max_distance) {
  Pairs pairs;
  for (uint32_t a = 0; a < set.size(); ++a) {
    for (uint32_t b = a + 1; b < set.size(); ++b) {
      const int distance = fingerprint::distance(set[a], set[b]);
      if (distance <= max_distance) pairs.push_back({a, b, static_cast<uint32_t>(distance)});
    }
  }
  return pairs;
}

inline Pairs linear_cross_join(const Set& left, const Set& right, int max_distance) {
  Pairs pairs;
  for (uint32_t a = 0; a < left.size(); ++a) {
    for (uint32_t b = 0; b < right.size(); ++b) {
      const int distance = fingerprint::distance(left[a], right[b]);
      if (distance <= max_distance) pairs.push_back({a, b, static_cast<uint32_t>(distance)});
    }
  }
  return pairs;
}

/// Returns those of `pairs` within max_distance: one linear scan serves many distances.
inline Pairs within(const Pairs& pairs, int max_distance) {
  Pairs result;
  for (const Pair& pair : pairs) {
    if (static_cast<int>(pair.distance) <= max_distance) result.push_back(pair);
  }
  return result;
}

/// Collects the pairs of a join, sorted.
class Collector {
 public:
  PairSink sink() {
    return [this](std::span<const Pair> pairs, int) -> Status {
      const std::lock_guard lock(mutex_);
      pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
      return {};
    };
  }
  Pairs sorted() {
    std::sort(pairs_.begin(), pairs_.end());
    return pairs_;
  }

 private:
  std::mutex mutex_;
  Pairs pairs_;
};

inline JoinOptions options_for(int max_distance, int num_threads = 1) {
  JoinOptions options;
  options.max_distance = max_distance;
  options.num_threads = num_threads;
  return options;
}

inline Pairs fast_self_join(const Set& set, const JoinOptions& options) {
  Collector collector;
  const Status status = self_join(set, options, collector.sink());
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return collector.sorted();
}

inline Pairs fast_cross_join(const Set& left, const Set& right, const JoinOptions& options) {
  Collector collector;
  const Status status = cross_join(left, right, options, collector.sink());
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return collector.sorted();
}

/// Compares without printing millions of pairs.
inline void expect_same(const Pairs& expected, const Pairs& found, const std::string& what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  const auto difference = std::mismatch(expected.begin(), expected.end(), found.begin());
  ASSERT_TRUE(difference.first == expected.end())
      << what << ": expected " << difference.first->a << "," << difference.first->b << " found " << difference.second->a
      << "," << difference.second->b;
}

inline uint64_t flip_bits(uint64_t value, int count, std::mt19937_64& random) {
  uint64_t mask = 0;
  while (std::popcount(mask) < count) mask |= uint64_t{1} << (random() % 64);
  return value ^ mask;
}

/// `size` random fingerprints with neighbours at each distance 0..max_distance + 2 among them.
inline Set random_set(size_t size, int max_distance, uint64_t seed) {
  std::mt19937_64 random(seed);
  Set set;
  for (size_t i = 0; i < size; ++i) {
    const bool plant = i > 0 && random() % 4 == 0;
    set.push_back(plant ? flip_bits(set[random() % i], static_cast<int>(random() % (max_distance + 3)), random)
                        : random());
  }
  return set;
}

/// Clusters of `cluster` members around random centres, each member up to `radius` bits away.
inline Set clustered_set(size_t size, size_t cluster, int radius, uint64_t seed) {
  std::mt19937_64 random(seed);
  Set set;
  uint64_t centre = 0;
  for (size_t i = 0; i < size; ++i) {
    if (i % cluster == 0) centre = random();
    set.push_back(flip_bits(centre, static_cast<int>(random() % (radius + 1)), random));
  }
  return set;
}

}  // namespace neardup::join
