// The banding join against the definition: every pair that meets, none beyond, each once.
#include "neardup/join/banding.h"

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>

#include "neardup/base/memory.h"
#include "neardup/join/band_buckets.h"
#include "tests/agree/join/signatures.h"

namespace neardup::join {
namespace {

std::vector<Pair> joined(const SignatureSource& source, BandingOptions options) {
  std::vector<Pair> pairs;
  std::mutex mutex;
  const Status status = band_join(source, options, [&](std::span<const Pair> block, int thread) -> Status {
    EXPECT_LT(thread, options.num_threads);
    const std::lock_guard lock(mutex);
    pairs.insert(pairs.end(), block.begin(), block.end());
    return {};
  });
  EXPECT_TRUE(status);
  std::ranges::sort(pairs);
  return pairs;
}

void expect_all_pairs(const MadeSignatures& made, const std::vector<Band>& bands, int min_equal) {
  const std::vector<Pair> expected = all_banded_pairs(made, bands, min_equal);
  const SignatureSource source = signatures_in_memory(made.values, made.num_values);
  for (const int threads : {1, 3}) {
    EXPECT_EQ(joined(source, {.bands = bands, .min_equal = min_equal, .num_threads = threads}), expected);
  }
}

TEST(Banding, FindsAllPairsOfSmallUniverses) {
  for (const int range : {1, 2, 3})
    for (const size_t count : {0, 1, 2, 3, 9, 40})
      for (uint64_t seed = 0; seed < 6; ++seed) {
        const MadeSignatures made = make_signatures(count, 6, 0.7, range, seed);
        expect_all_pairs(made, {{0, 1}, {2, 3}, {4, 5}}, 0);
        expect_all_pairs(made, {{0, 5}, {0, 1, 2}, {3}, {1, 4, 5}}, 0);
        expect_all_pairs(made, {{0, 1, 2, 3, 4, 5}}, 0);
        expect_all_pairs(made, {{0, 1}, {2, 3}}, 4);
      }
}

TEST(Banding, FindsAllPairsOfLargeSkewedSets) {
  for (const double fresh : {0.9, 0.3, 0.02}) {
    const MadeSignatures made = make_signatures(700, 128, fresh, 60000, static_cast<uint64_t>(fresh * 100));
    for (const auto& [num_bands, rows] : {std::pair(32, 4), std::pair(64, 4), std::pair(25, 5), std::pair(10, 13)}) {
      const auto bands = make_bands(128, num_bands, rows);
      ASSERT_TRUE(bands);
      expect_all_pairs(made, *bands, 0);
      expect_all_pairs(made, *bands, 30);
    }
  }
}

// A bucket of hundreds goes tile by tile, and equal signatures are collapsed.
TEST(Banding, FindsAllPairsOfHotBucketsAndEqualRows) {
  MadeSignatures made = make_signatures(900, 32, 1, 60000, 5);
  for (size_t i = 0; i < made.size(); ++i) {
    std::fill_n(made.values.data() + i * 32, i % 3 == 0 ? 8 : 3, uint16_t{7});
    if (i % 9 == 0) std::copy_n(made.row(0), 32, made.values.data() + i * 32);
  }
  const auto bands = make_bands(32, 8, 4);
  ASSERT_TRUE(bands);
  expect_all_pairs(made, *bands, 0);
}

// The pairs that `late` leaves, by the definition.
std::vector<Pair> pairs_in_front(const MadeSignatures& made, const std::vector<Band>& bands, int min_equal,
                                 const LateRows& late) {
  std::vector<Pair> pairs = all_banded_pairs(made, bands, min_equal);
  std::erase_if(pairs, [&](const Pair& pair) {
    for (size_t band = 0; band < bands.size(); ++band) {
      const bool meet =
          std::ranges::all_of(bands[band], [&](uint16_t v) { return made.row(pair.a)[v] == made.row(pair.b)[v]; });
      if (meet && !late.at(static_cast<uint32_t>(pair.a), band)) return false;
    }
    return true;
  });
  return pairs;
}

// Hot buckets, equal rows and rows that meet in several bands.
TEST(Banding, LeavesOutPairsWhoseFirstRowIsLateWhereTheyMeet) {
  for (const double fresh : {1.0, 0.3, 0.02}) {
    MadeSignatures made = make_signatures(700, 16, fresh, 60000, 7);
    for (size_t i = 0; i < made.size() && fresh == 1; ++i) {
      std::fill_n(made.values.data() + i * 16, i % 3 == 0 ? 8 : 4, uint16_t{7});
      if (i % 9 == 0) std::copy_n(made.row(0), 16, made.values.data() + i * 16);
    }
    const SignatureSource source = signatures_in_memory(made.values, 16);
    for (const auto& bands : {make_bands(16, 4, 4).value(), make_bands(16, 8, 2).value()})
      for (const uint32_t most_members : {0U, 1U, 3U, 40U})
        for (const int min_equal : {0, 9}) {
          const LateRows late = find_late_rows(source, bands, most_members, 1 << 20, {}).value();
          const std::vector<Pair> expected = pairs_in_front(made, bands, min_equal, late);
          for (const uint64_t memory : {uint64_t{0}, least_banding_bytes(700, 16, 3)})
            EXPECT_EQ(
                joined(
                    source,
                    {.bands = bands, .min_equal = min_equal, .late = &late, .num_threads = 3, .memory_bytes = memory}),
                expected)
                << fresh << ' ' << most_members;
        }
  }
}

// Of m equal rows only the first ones have pairs: not m^2 / 2.
TEST(Banding, PairsOfEqualRowsAreNoMoreThanTheFirstOnesHave) {
  constexpr size_t kCount = 20'000;
  const std::vector<uint16_t> values(kCount * 8, uint16_t{5});
  const SignatureSource source = signatures_in_memory(values, 8);
  const auto bands = make_bands(8, 4, 2).value();
  const LateRows late = find_late_rows(source, bands, 16, 1 << 20, {}).value();
  EXPECT_EQ(joined(source, {.bands = bands, .late = &late, .num_threads = 2}).size(), 16 * kCount - 16 * 17 / 2);
}

bool made_similar(uint64_t a, uint64_t b) { return ((a * 2654435761U ^ b * 40503U) >> 7) % 4 == 0; }

// The components of pairs that a join has to find are those of all pairs, and no pair of a component comes late.
void expect_the_same_components(const MadeSignatures& made, const std::vector<Band>& bands, uint32_t num_given) {
  std::vector<uint32_t> members(made.size());
  for (uint32_t row = 0; row < made.size(); ++row) members[row] = 3 * row + 1;
  const uint32_t count = 3 * made.size() + 2;
  DisjointSets expected(count);
  for (const Pair& pair : all_banded_pairs(made, bands, 0))
    if (pair.b >= num_given && made_similar(pair.a, pair.b)) expected.unite(members[pair.a], members[pair.b]);
  for (const int threads : {1, 3}) {
    DisjointSets sets(count);
    const Status status = band_join(signatures_in_memory(made.values, made.num_values),
                                    {.bands = bands, .joined = {&sets, members, num_given}, .num_threads = threads},
                                    [&](std::span<const Pair> pairs, int) -> Status {
                                      EXPECT_LE(pairs.size(), 1U);
                                      for (const Pair& pair : pairs) {
                                        EXPECT_LT(pair.a, pair.b);
                                        EXPECT_GE(pair.b, num_given);
                                        if (made_similar(pair.a, pair.b)) sets.unite(members[pair.a], members[pair.b]);
                                      }
                                      return {};
                                    });
    ASSERT_TRUE(status);
    for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(sets.find(i), expected.find(i)) << threads << " threads, " << i;
  }
}

TEST(Banding, LeavesOutOnlyWhatIsJoined) {
  for (const size_t count : {0, 1, 2, 9, 40})
    for (uint64_t seed = 0; seed < 6; ++seed)
      for (const uint32_t num_given : {0U, 5U})
        expect_the_same_components(make_signatures(count, 6, 0.7, 2, seed), {{0, 1}, {2, 3}, {4, 5}}, num_given);
  MadeSignatures hot = make_signatures(900, 32, 1, 60000, 5);
  for (size_t i = 0; i < hot.size(); ++i) std::fill_n(hot.values.data() + i * 32, i % 3 == 0 ? 8 : 3, uint16_t{7});
  for (size_t i = 0; i < hot.size(); i += 2) std::fill_n(hot.values.data() + i * 32 + 12, 4, uint16_t{9});
  for (const uint32_t num_given : {0U, 300U}) expect_the_same_components(hot, make_bands(32, 8, 4).value(), num_given);
}

TEST(Banding, DeliversFewPairsWhereAllAreJoined) {
  MadeSignatures made = make_signatures(20000, 16, 1, 60000, 2);
  std::vector<uint32_t> members(made.size());
  std::iota(members.begin(), members.end(), 0U);
  for (uint32_t i = 0; i < made.size(); ++i) std::copy_n(made.row(0), 12, made.values.data() + size_t{i} * 16);
  DisjointSets sets(made.size());
  uint64_t num_pairs = 0;
  const Status status =
      band_join(signatures_in_memory(made.values, 16),
                {.bands = make_bands(16, 4, 4).value(), .joined = {&sets, members, 0}, .num_threads = 1},
                [&](std::span<const Pair> pairs, int) -> Status {
                  for (const Pair& pair : pairs) sets.unite(members[pair.a], members[pair.b]);
                  num_pairs += pairs.size();
                  return {};
                });
  ASSERT_TRUE(status);
  EXPECT_EQ(num_pairs, made.size() - 1);
}

TEST(Banding, KeepsToItsMemoryInParts) {
  const MadeSignatures made = make_signatures(20000, 16, 0.9, 60000, 3);
  const auto bands = make_bands(16, 4, 4);
  ASSERT_TRUE(bands);
  const SignatureSource source = signatures_in_memory(made.values, 16);
  const auto expected = joined(source, {.bands = *bands, .num_threads = 2});
  EXPECT_GT(expected.size(), 500U);
  const uint64_t least = least_banding_bytes(made.size(), 16, 2);
  EXPECT_EQ(joined(source, {.bands = *bands, .num_threads = 2, .memory_bytes = least}), expected);
  const SignatureSource copied{.count = source.count, .num_values = 16, .read = source.read};
  EXPECT_EQ(joined(copied, {.bands = *bands, .num_threads = 2, .memory_bytes = least}), expected);
  const Status status = band_join(source, {.bands = *bands, .num_threads = 2, .memory_bytes = 1000},
                                  [](std::span<const Pair>, int) { return Status(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kMemory);
}

// All rows in one bucket are all in one part, however many parts there are.
TEST(Banding, KeepsToItsMemoryWhereAllRowsAreAlike) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep what was given back";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  GTEST_SKIP() << "sanitizers keep what was given back";
#endif
#endif
  constexpr size_t kRows = 4000000;
  const std::vector<uint16_t> values(kRows * 4, 7);
  const SignatureSource source = signatures_in_memory(values, 4);
  const uint64_t least = least_banding_bytes(kRows, 4, 1), before = peak_memory_bytes();
  const Status status = band_join(source, {.bands = {{0, 1}}, .num_threads = 1, .memory_bytes = least},
                                  [](std::span<const Pair>, int) -> Status { return fail(Code::kDiskFull, "enough"); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kDiskFull) << "the pairs of equal rows began to come";
  EXPECT_LE(peak_memory_bytes() - before, least + (uint64_t{4} << 20));
}

TEST(Banding, FindsAllPairsWhereOneBucketHoldsAllRows) {
  MadeSignatures made = make_signatures(1500, 16, 1, 60000, 9);
  for (size_t i = 0; i < made.size(); ++i) std::fill_n(made.values.data() + i * 16, 4, uint16_t{7});
  const std::vector<Band> bands = make_bands(16, 4, 4).value();
  const SignatureSource source = signatures_in_memory(made.values, 16);
  const uint64_t least = least_banding_bytes(made.size(), 16, 2);
  EXPECT_EQ(joined(source, {.bands = bands, .num_threads = 2, .memory_bytes = least}),
            all_banded_pairs(made, bands, 0));
}

TEST(BandBuckets, KnowWhereNumbersEnd) {
  EXPECT_TRUE(buckets_have_numbers(67'000'000, 128));
  EXPECT_FALSE(buckets_have_numbers(68'000'000, 128));
}

TEST(Banding, StopsWhenToldTo) {
  const MadeSignatures made = make_signatures(2000, 16, 0.5, 3, 3);
  const SignatureSource source = signatures_in_memory(made.values, 16);
  const BandingOptions options{.bands = {{0, 1}}, .num_threads = 2};
  const Status failed =
      band_join(source, options, [](std::span<const Pair>, int) -> Status { return fail(Code::kDiskFull, "no room"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::kDiskFull);
  const std::atomic<bool> cancel = true;
  BandingOptions cancelled = options;
  cancelled.context.cancel = &cancel;
  const Status stopped = band_join(source, cancelled, [](std::span<const Pair>, int) { return Status(); });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::kCancelled);
}

TEST(BandBuckets, HoldThePairsThatMeet) {
  for (const double fresh : {1.0, 0.4}) {
    const MadeSignatures made = make_signatures(600, 32, fresh, 40, 11);
    const std::vector<Band> bands = make_bands(32, 12, 3).value();
    auto buckets = BandBuckets::build(made.values, 32, bands, 2, {});
    ASSERT_TRUE(buckets);
    std::vector<Pair> met;
    for (uint32_t row = 0; row < made.size(); ++row)
      for (const uint32_t bucket : buckets->buckets_of(row)) {
        const auto members = buckets->members(bucket);
        EXPECT_TRUE(std::ranges::is_sorted(members));
        EXPECT_TRUE(std::ranges::binary_search(members, row));
        for (const uint32_t other : members)
          if (row < other) met.push_back({row, other, 0});
      }
    std::ranges::sort(met);
    met.erase(std::ranges::unique(met).begin(), met.end());
    std::vector<Pair> expected = all_banded_pairs(made, bands, 0);
    for (Pair& pair : expected) pair.distance = 0;
    EXPECT_EQ(met, expected);
  }
}

}  // namespace
}  // namespace neardup::join
