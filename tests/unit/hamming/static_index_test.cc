#include "neardup/hamming/static_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "neardup/match/kernels.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
struct Set {
  std::vector<F> fingerprints;
  std::vector<uint64_t> documents;
};

template <class F>
F random_fingerprint(std::mt19937_64& random) {
  F value = random();
  if constexpr (sizeof(F) > 8) value = value << 64 | random();
  return value;
}

template <class F>
F flipped(F value, int count, std::mt19937_64& random) {
  for (; count > 0; --count) value ^= F{1} << random() % fingerprint::kBitsOf<F>;
  return value;
}

// Random, with neighbours and equals; the documents are no numbers from 0 on.
template <class F>
Set<F> make_set(size_t size, int max_distance, uint64_t seed) {
  std::mt19937_64 random(seed);
  Set<F> set;
  for (size_t i = 0; i < size; ++i) {
    const bool related = i > 0 && random() % 4 == 0;
    const F base = related ? set.fingerprints[random() % i] : random_fingerprint<F>(random);
    set.fingerprints.push_back(related ? flipped(base, static_cast<int>(random() % (max_distance + 3)), random) : base);
    set.documents.push_back(1'000'000 + random() % (2 * size));
  }
  return set;
}

template <class F>
std::vector<Match<F>> scan(const Set<F>& set, F query, int max_distance) {
  std::vector<Match<F>> matches;
  for (size_t i = 0; i < set.fingerprints.size(); ++i) {
    const int distance = fingerprint::distance_of<F>(set.fingerprints[i], query);
    if (distance <= max_distance) matches.push_back({set.documents[i], set.fingerprints[i], distance});
  }
  std::sort(matches.begin(), matches.end());
  matches.erase(std::unique(matches.begin(), matches.end()), matches.end());
  return matches;
}

template <class F>
void expect_like_scan(const Set<F>& set, const Plan& plan, Codec codec, uint64_t seed, BuildOptions options = {}) {
  options.codec = codec;
  const auto index = StaticIndex<F>::build(set.fingerprints, set.documents, plan, options);
  ASSERT_TRUE(index.has_value()) << index.error().message;
  std::mt19937_64 random(seed);
  std::vector<F> queries;
  for (int i = 0; i < 100; ++i) {
    const F base = set.fingerprints.empty() || i % 4 == 0 ? random_fingerprint<F>(random)
                                                          : set.fingerprints[random() % set.fingerprints.size()];
    queries.push_back(flipped(base, static_cast<int>(random() % (plan.max_distance + 3)), random));
  }
  for (const int k : {plan.max_distance, plan.max_distance / 2, 0}) {
    std::vector<std::vector<Match<F>>> batch(queries.size());
    index->query_batch(queries, k, [&](size_t i, std::span<const Match<F>> matches) {
      EXPECT_TRUE(batch[i].empty());
      batch[i].assign(matches.begin(), matches.end());
    });
    for (size_t i = 0; i < queries.size(); ++i) {
      const auto expected = scan(set, queries[i], k);
      std::vector<Match<F>> matches;
      index->query(queries[i], k, matches);
      std::sort(matches.begin(), matches.end());
      std::sort(batch[i].begin(), batch[i].end());
      ASSERT_EQ(matches.size(), expected.size()) << plan.name << " k " << k << " query " << i;
      EXPECT_TRUE(matches == expected) << plan.name;
      EXPECT_TRUE(batch[i] == expected) << plan.name;
    }
  }
}

std::vector<Plan> plans_of(int bits) {
  const int half = bits / 2;
  return {flip_plan(bits, 3, std::vector<Block>{{half, 1}, {half, 1}}),
          flip_plan(bits, 3, std::vector<Block>{{20, 1}, {13, 1}}),
          flip_plan(bits, 3, std::vector<Block>{{12, 1}, {9, 0}, {7, 0}}),
          flip_plan(bits, 6, std::vector<Block>{{21, 2}, {21, 1}, {22, 1}}),
          flip_plan(bits, 5, std::vector<Block>{{10, 2}, {8, 2}}),
          permuted_plan(bits, 4, 1),
          permuted_plan(bits, 5, 2),
          permuted_plan(bits, 6, 3),
          two_level_plan(bits, 4, 4),
          scan_plan(bits, 3)};
}

TEST(StaticIndex, FindsWhatAScanFinds) {
  uint64_t seed = 0;
  for (const size_t size : {0, 1, 2, 10, 100, 3000}) {
    for (const Plan& plan : plans_of(64)) {
      expect_like_scan<Fingerprint>(make_set<Fingerprint>(size, plan.max_distance, seed++), plan, Codec::kPacked, 1);
    }
    for (const Plan& plan : plans_of(128)) {
      expect_like_scan<Fingerprint128>(make_set<Fingerprint128>(size, plan.max_distance, seed++), plan, Codec::kPacked,
                                       1);
    }
  }
}

TEST(StaticIndex, EveryCodec) {
  for (const Codec codec : {Codec::kPlain, Codec::kDelta}) {
    for (const Plan& plan : plans_of(64)) {
      expect_like_scan<Fingerprint>(make_set<Fingerprint>(1000, plan.max_distance, 5), plan, codec, 6);
    }
  }
}

TEST(StaticIndex, EveryKernel) {
  for (const std::string& target : match::kernel_targets()) {
    ASSERT_TRUE(match::force_kernel_target(target));
    for (const Plan& plan : plans_of(64)) {
      expect_like_scan<Fingerprint>(make_set<Fingerprint>(3000, plan.max_distance, 7), plan, Codec::kPacked, 8);
    }
  }
  match::force_kernel_target("");
}

TEST(StaticIndex, WordsOfEachWidthOnAllThreadsInManyPasses) {
  for (const int word_bits : {24, 32}) {
    BuildOptions options;
    options.word_bits = word_bits;
    for (const Plan& plan : plans_of(64)) {
      options.num_threads = static_cast<int>(1 + plan.tables.size() % 4);
      options.memory_bytes = 20'000 / plan.tables.size();
      expect_like_scan<Fingerprint>(make_set<Fingerprint>(8000, plan.max_distance, 12), plan, Codec::kPacked, 13,
                                    options);
    }
    for (const Plan& plan : plans_of(128)) {
      expect_like_scan<Fingerprint128>(make_set<Fingerprint128>(2000, plan.max_distance, 14), plan, Codec::kPacked, 15,
                                       options);
    }
  }
}

// Passes and parts are cut where the first pass does not tell how many fingerprints have several documents.
TEST(StaticIndex, ListsThatComeLate) {
  std::mt19937_64 random(16);
  Set<Fingerprint> set;
  for (uint64_t i = 0; i < 100'000; ++i) {
    const bool late = i % 2 == 0;
    set.fingerprints.push_back(late ? ~uint64_t{0} << 20 | random() % 10'000 : random() >> 1);
    set.documents.push_back(i);
  }
  BuildOptions options;
  options.memory_bytes = 300'000;
  options.num_threads = 3;
  expect_like_scan<Fingerprint>(set, plans_of(64)[0], Codec::kPacked, 17, options);
}

TEST(StaticIndex, SaysWhatALimitMustBe) {
  const auto set = make_set<Fingerprint>(5000, 3, 18);
  BuildOptions options;
  options.memory_bytes = 10;
  const auto index = StaticIndex<Fingerprint>::build(set.fingerprints, {}, plans_of(64)[0], options);
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code, Code::kMemory);
}

TEST(StaticIndex, OneClusterDoesNotTakeMoreThanTheLimit) {
  auto set = make_set<Fingerprint>(20'000, 3, 19);
  std::mt19937_64 random(20);
  for (size_t i = 0; i < set.fingerprints.size(); i += 3) set.fingerprints[i] = 0x123456789a000000 | random() >> 40;
  BuildOptions options;
  options.memory_bytes = 24'000;  // the cluster takes 80,000
  options.num_threads = 3;
  for (const Plan& plan : {plans_of(64)[0], plans_of(64)[5]}) {
    expect_like_scan<Fingerprint>(set, plan, Codec::kPacked, 21, options);
    expect_like_scan<Fingerprint>(set, plan, Codec::kDelta, 21, options);
  }
  // Equal ones cannot be divided.
  for (size_t i = 0; i < set.fingerprints.size(); i += 3) set.fingerprints[i] = 42;
  const auto index = StaticIndex<Fingerprint>::build(set.fingerprints, {}, plans_of(64)[0], options);
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code, Code::kMemory);
  EXPECT_NE(index.error().message.find("raise it"), std::string::npos) << index.error().message;
}

TEST(StaticIndex, TightClustersAndEqualOnes) {
  std::mt19937_64 random(9);
  Set<Fingerprint> set;
  const Fingerprint centre = random();
  for (uint64_t i = 0; i < 4000; ++i) {
    set.fingerprints.push_back(i % 3 == 0 ? centre : flipped(centre, static_cast<int>(random() % 5), random));
    set.documents.push_back(i);
  }
  for (const Plan& plan : plans_of(64)) expect_like_scan<Fingerprint>(set, plan, Codec::kPacked, 10);
}

TEST(StaticIndex, GivesBackWhatItHolds) {
  const auto set = make_set<Fingerprint>(5000, 3, 11);
  const auto index = StaticIndex<Fingerprint>::build(set.fingerprints, set.documents, plans_of(64)[1], {});
  ASSERT_TRUE(index.has_value());
  std::vector<std::pair<Fingerprint, uint64_t>> expected, held;
  for (size_t i = 0; i < set.fingerprints.size(); ++i) expected.emplace_back(set.fingerprints[i], set.documents[i]);
  index->for_each([&](Fingerprint fingerprint, uint64_t document) { held.emplace_back(fingerprint, document); });
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  std::sort(held.begin(), held.end());
  EXPECT_EQ(held, expected);
  EXPECT_EQ(index->size(), expected.size());
}

TEST(StaticIndex, DocumentsOfAnyNumber) {
  const std::vector<Fingerprint> fingerprints{1, 1, 2, 3};
  const std::vector<uint64_t> documents{0, UINT64_MAX, UINT64_MAX, 5};
  const auto index = StaticIndex<Fingerprint>::build(fingerprints, documents, plans_of(64)[0], {});
  ASSERT_TRUE(index.has_value());
  std::vector<Match<Fingerprint>> matches;
  index->query(1, 1, matches);
  std::sort(matches.begin(), matches.end());
  const std::vector<Match<Fingerprint>> expected{{0, 1, 0}, {5, 3, 1}, {UINT64_MAX, 1, 0}};
  EXPECT_EQ(matches, expected);
}

TEST(StaticIndex, RefusesWhatDoesNotFit) {
  const std::vector<Fingerprint> fingerprints{1, 2};
  const std::vector<uint64_t> documents{1};
  const Plan plan = plans_of(64)[0];
  EXPECT_EQ(StaticIndex<Fingerprint>::build(fingerprints, documents, plan, {}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(StaticIndex<Fingerprint>::build(fingerprints, {}, plans_of(128)[0], {}).error().code,
            Code::kInvalidArgument);
  Plan incomplete = plan;
  incomplete.tables.pop_back();
  EXPECT_EQ(StaticIndex<Fingerprint>::build(fingerprints, {}, incomplete, {}).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::hamming
