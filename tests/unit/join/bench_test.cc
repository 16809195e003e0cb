#include "neardup/join/bench.h"

#include <gtest/gtest.h>

#include <bit>

#include "neardup/join/budget.h"
#include "neardup/join/parts.h"

namespace neardup::join {
namespace {

TEST(MadeUpFingerprints, AreTheSameEveryTime) {
  for (const Spread spread : {Spread::kUniform, Spread::kClustered, Spread::kBiased}) {
    const auto set = make_fingerprints(5000, spread, 3);
    EXPECT_EQ(set.size(), 5000U);
    EXPECT_EQ(set, make_fingerprints(5000, spread, 3));
    EXPECT_NE(set, make_fingerprints(5000, spread, 4));
  }
}

TEST(MadeUpFingerprints, AreBiasedWhereAskedFor) {
  const auto set = make_fingerprints(20000, Spread::kBiased, 3);
  int far_from_half = 0;
  for (int bit = 0; bit < 64; ++bit) {
    int ones = 0;
    for (const uint64_t value : set) ones += static_cast<int>(value >> bit & 1);
    EXPECT_GT(ones, 0.27 * 20000);
    EXPECT_LT(ones, 0.73 * 20000);
    far_from_half += std::abs(ones - 10000) > 1000;
  }
  EXPECT_GT(far_from_half, 30);
}

TEST(Bench, FindsTheSamePairsOnAnyNumberOfThreads) {
  BenchOptions options;
  options.count = 50'000;
  options.num_threads = 1;
  const auto one = run_bench(options);
  options.num_threads = 3;
  const auto three = run_bench(options);
  ASSERT_TRUE(one && three);
  EXPECT_GT(one->pairs, 1000U);
  EXPECT_EQ(one->pairs, three->pairs);
  EXPECT_EQ(one->digest, three->digest);
  EXPECT_EQ(three->num_threads, 3);
  EXPECT_GT(one->seconds, 0);
  EXPECT_GT(one->peak_bytes, options.count * 8);
}

TEST(HotMemory, GivesWhatItHas) {
  HotMemory budget(100);
  {
    const MemoryShare first(budget, 60), second(budget, 60), third(budget, 40);
    EXPECT_TRUE(first.taken());
    EXPECT_FALSE(second.taken());
    EXPECT_TRUE(third.taken());
  }
  EXPECT_TRUE(budget.take(100));
}

TEST(Parts, FitInTheLimit) {
  for (const uint64_t size : {1, 1000, 100'000, 1'000'000'000}) {
    for (const uint64_t memory : {10'000'000ULL, 100'000'000ULL, 4'000'000'000ULL}) {
      const auto parts = choose_parts(size, size, true, 2, memory);
      ASSERT_TRUE(parts);
      EXPECT_LE(working_bytes(parts->left, parts->left == size ? 0 : parts->right, 2), memory);
    }
  }
  EXPECT_EQ(choose_parts(1000, 1000, true, 2, 0)->left, 1000U);
  EXPECT_EQ(choose_parts(1000, 1000, true, 2, 1000).error().code, Code::kMemory);
}

}  // namespace
}  // namespace neardup::join
