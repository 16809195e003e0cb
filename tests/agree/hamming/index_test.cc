// Static indexes of many kinds of sets against linear scan and flips: every plan, codec, instruction set, thread count.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "neardup/match/kernels.h"
#include "tests/agree/hamming/agreement.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

// For each of some stored values one query at each distance from 0 to max_distance + 2, and queries from nowhere.
template <class F>
std::vector<F> queries_for(const std::vector<F>& values, int max_distance, int count, std::mt19937_64& random) {
  std::vector<F> queries{F{0}, static_cast<F>(~F{0}), sets::random_of<F>(random)};
  for (int i = 0; i < count && !values.empty(); ++i) {
    const F value = values[random() % values.size()];
    for (int distance = 0; distance <= max_distance + 2; ++distance) {
      queries.push_back(sets::flipped<F>(random, value, distance));
    }
  }
  return queries;
}

template <class F>
void expect_all_codecs_agree(const std::vector<F>& values, int max_distance, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto documents = agreement::documents_of(values, random);
  const auto queries = queries_for(values, max_distance, 2, random);
  const auto expected = agreement::scan_all(documents, queries, max_distance);
  for (const Plan& plan : agreement::plans_for(fingerprint::kBitsOf<F>, max_distance)) {
    for (const Codec codec : agreement::kCodecs) {
      SCOPED_TRACE(plan.name + ", " + agreement::name_of(codec));
      const auto index = agreement::build(documents, plan, {.codec = codec, .context = {}});
      for (const int k : {max_distance, max_distance / 2}) agreement::expect_agreement(index, expected, k);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class F>
void expect_all_kinds_agree(size_t size, std::span<const int> distances) {
  for (const auto& set : sets::all_kinds<F>(size, size)) {
    for (const int k : distances) {
      SCOPED_TRACE(set.name + ", k = " + std::to_string(k));
      expect_all_codecs_agree(set.values, k, size + static_cast<size_t>(k));
    }
  }
}

TEST(Index, EveryKindOfSet) { expect_all_kinds_agree<Fingerprint>(1500, std::array{1, 3}); }
TEST(Index, GreaterDistances) { expect_all_kinds_agree<Fingerprint>(300, std::array{0, 6, 10, 16}); }
TEST(Index, WideFingerprints) { expect_all_kinds_agree<Fingerprint128>(300, std::array{3, 12, 32}); }

class OnInstructionSet : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(match::force_kernel_target(GetParam())); }
  void TearDown() override { match::force_kernel_target(""); }
};

TEST_P(OnInstructionSet, Agrees) {
  std::mt19937_64 random(3);
  for (const size_t size : {10, 500, 4000}) {
    expect_all_codecs_agree(sets::clustered<Fingerprint>(random, size), 3, size);
    expect_all_codecs_agree(sets::clustered<Fingerprint128>(random, size / 4), 5, size);
  }
  expect_all_codecs_agree(sets::biased<Fingerprint>(random, 2000), 6, 4);
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, OnInstructionSet, ::testing::ValuesIn(match::kernel_targets()),
                         [](const auto& target) { return target.param; });

// As many as a directory has several levels for; the plan is the default one at this size.
Plan two_tables() { return flip_plan(64, 3, std::vector<Block>{{17, 1}, {17, 1}}); }

std::vector<Fingerprint> many(std::mt19937_64& random) {
  auto values = sets::uniform<Fingerprint>(random, 100'000);
  const auto clustered = sets::clustered<Fingerprint>(random, 50'000);
  values.insert(values.end(), clustered.begin(), clustered.end());
  return values;
}

TEST(Index, ManyAgreeWithAllFlips) {
  std::mt19937_64 random(5);
  const auto values = many(random);
  const auto documents = agreement::documents_of(values, random);
  const FlipList<Fingerprint> flips(documents.fingerprints, documents.numbers);
  agreement::Expected<Fingerprint> expected{queries_for(values, 3, 4, random), {}};
  for (const Fingerprint query : expected.queries) {
    agreement::Matches<Fingerprint> matches;
    flips.query(query, 3, matches);
    expected.matches.push_back(agreement::normal(matches));
  }
  for (const Codec codec : agreement::kCodecs) {
    SCOPED_TRACE(agreement::name_of(codec));
    const auto index = agreement::build(documents, two_tables(), {.codec = codec, .context = {}});
    agreement::expect_agreement(index, expected, 3);
  }
}

// More queries than a batch keeps in flight, few of which have matches.
TEST(Index, LongBatchesAgreeWithSingleQueries) {
  std::mt19937_64 random(6);
  const auto values = many(random);
  const auto documents = agreement::documents_of(values, random);
  auto queries = sets::uniform<Fingerprint>(random, 1000);
  for (size_t i = 0; i < queries.size(); i += 1 + random() % 20) {
    queries[i] = sets::flipped<Fingerprint>(random, values[random() % values.size()], static_cast<int>(random() % 6));
  }
  for (const Codec codec : agreement::kCodecs) {
    SCOPED_TRACE(agreement::name_of(codec));
    const auto index = agreement::build(documents, two_tables(), {.codec = codec, .context = {}});
    agreement::Expected<Fingerprint> singles{queries, {}};
    for (const Fingerprint query : queries) {
      agreement::Matches<Fingerprint> matches;
      index.query(query, 3, matches);
      std::sort(matches.begin(), matches.end());
      singles.matches.push_back(matches);
    }
    agreement::expect_agreement(index, singles, 3);
  }
}

using Listed = std::vector<std::pair<Fingerprint, uint64_t>>;

Listed list_of(const StaticIndex<Fingerprint>& index) {
  Listed listed;
  index.for_each([&](Fingerprint fingerprint, uint64_t document) { listed.emplace_back(fingerprint, document); });
  return listed;
}

TEST(Index, BuiltByAnyNumberOfThreadsInAnyMemoryItIsTheSame) {
  std::mt19937_64 random(7);
  const auto values = many(random);
  const auto documents = agreement::documents_of(values, random);
  const auto expected = agreement::scan_all(documents, queries_for(values, 3, 2, random), 3);
  for (const Codec codec : agreement::kCodecs) {
    const auto one = agreement::build(documents, two_tables(), {.codec = codec, .num_threads = 1, .context = {}});
    agreement::expect_agreement(one, expected, 3);
    for (const int threads : {0, 2, 3, 7}) {
      for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 18}) {
        SCOPED_TRACE(agreement::name_of(codec) + ", " + std::to_string(threads) + " threads, memory " +
                     std::to_string(memory));
        const BuildOptions options{.codec = codec, .num_threads = threads, .memory_bytes = memory, .context = {}};
        const auto index = agreement::build(documents, two_tables(), options);
        EXPECT_EQ(index.bytes(), one.bytes());
        EXPECT_TRUE(list_of(index) == list_of(one));
        agreement::expect_agreement(index, expected, 3);
      }
    }
  }
}

// Without numbers documents are positions, and with few of them a build sorts shorter ones.
TEST(Index, DocumentsByPosition) {
  for (const auto& set : sets::all_kinds<Fingerprint>(3000, 13)) {
    std::mt19937_64 random(14);
    const agreement::Documents<Fingerprint> documents{set.values, {}};
    const auto expected = agreement::scan_all(documents, queries_for(set.values, 3, 3, random), 3);
    for (const Codec codec : agreement::kCodecs) {
      for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 13}) {
        SCOPED_TRACE(set.name + ", " + agreement::name_of(codec) + ", memory " + std::to_string(memory));
        const BuildOptions options{.codec = codec, .num_threads = 2, .memory_bytes = memory, .context = {}};
        if (memory > 0 && set.name == "all equal") {  // the documents of one fingerprint are sorted together
          const auto refused = StaticIndex<Fingerprint>::build(set.values, {}, two_tables(), options);
          ASSERT_FALSE(refused.has_value());
          EXPECT_EQ(refused.error().code, Code::kMemory);
          continue;
        }
        const auto index = agreement::build(documents, two_tables(), options);
        EXPECT_EQ(index.size(), set.values.size());
        agreement::expect_agreement(index, expected, 3);
      }
    }
  }
}

TEST(Index, ReadByManyThreadsAtOnce) {
  std::mt19937_64 random(8);
  const auto values = sets::clustered<Fingerprint>(random, 5000);
  const auto documents = agreement::documents_of(values, random);
  const auto expected = agreement::scan_all(documents, queries_for(values, 3, 5, random), 3);
  for (const Codec codec : agreement::kCodecs) {
    const auto index = agreement::build(documents, two_tables(), {.codec = codec, .context = {}});
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) readers.emplace_back([&] { agreement::expect_agreement(index, expected, 3); });
    for (std::thread& reader : readers) reader.join();
  }
}

TEST(Index, ListsEachDocumentOnce) {
  for (const auto& set : sets::all_kinds<Fingerprint>(2000, 9)) {
    std::mt19937_64 random(10);
    const auto documents = agreement::documents_of(set.values, random);
    Listed expected;
    for (size_t i = 0; i < documents.numbers.size(); ++i) {
      expected.emplace_back(documents.fingerprints[i], documents.numbers[i]);
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    for (const Codec codec : agreement::kCodecs) {
      SCOPED_TRACE(set.name + ", " + agreement::name_of(codec));
      const auto index = agreement::build(documents, two_tables(), {.codec = codec, .context = {}});
      Listed listed = list_of(index);
      std::sort(listed.begin(), listed.end());
      EXPECT_TRUE(listed == expected);
      EXPECT_EQ(index.size(), expected.size());
    }
  }
}

template <class F>
void expect_reopened_agree(const Plan& plan, int max_distance) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("neardup_agree_" + std::to_string(getpid()) + ".index")).string();
  for (const auto& set : sets::all_kinds<F>(1000, 11)) {
    std::mt19937_64 random(12);
    const auto documents = agreement::documents_of(set.values, random);
    const auto expected =
        agreement::scan_all(documents, queries_for(set.values, max_distance, 3, random), max_distance);
    for (const Codec codec : agreement::kCodecs) {
      SCOPED_TRACE(set.name + ", " + agreement::name_of(codec));
      const auto written = agreement::build(documents, plan, {.codec = codec, .context = {}}).write(path, "a note");
      ASSERT_TRUE(written) << written.error().message;
      for (const Access access : {Access::kMap, Access::kLoad}) {
        const auto opened = StaticIndex<F>::open(path, access, access == Access::kMap);
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ(opened->plan().tables.size(), plan.tables.size());
        EXPECT_EQ(opened->note(), "a note");
        agreement::expect_agreement(*opened, expected, max_distance);
      }
    }
  }
  std::filesystem::remove(path);
}

TEST(Index, WrittenAndOpenedAgain) {
  expect_reopened_agree<Fingerprint>(two_tables(), 3);
  expect_reopened_agree<Fingerprint>(permuted_plan(64, 5, 2), 3);
  expect_reopened_agree<Fingerprint128>(permuted_plan(128, 9, 1), 8);
}

}  // namespace
}  // namespace neardup::hamming
