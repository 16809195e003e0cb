// Sorted candidates against std::sort and unique, with all sizes of memory.
#include "neardup/cluster/candidates.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <thread>

#include "neardup/cluster/candidate.h"
#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster {
namespace {

class Candidates : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] size_t num_files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  const std::string folder_ = testing::TempDir() + "neardup_candidates_" + std::to_string(getpid());
};

std::vector<Candidate> random_candidates(size_t count, uint32_t num_documents, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Candidate> candidates;
  while (candidates.size() < count) {
    const auto a = static_cast<uint32_t>(random() % num_documents), b = static_cast<uint32_t>(random() % num_documents);
    const uint32_t distance = random() % 9 == 0 ? kUnknownDistance : static_cast<uint32_t>(random() % 1025);
    if (a != b) candidates.push_back({std::min(a, b), std::max(a, b), distance});
  }
  return candidates;
}

std::vector<Candidate> sorted_by_the_book(std::vector<Candidate> candidates) {
  std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::tuple(c.worse, c.better, c.distance); });
  const auto same = [](const Candidate& a, const Candidate& b) { return a.worse == b.worse && a.better == b.better; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  return candidates;
}

std::vector<Candidate> read_all(CandidateSet& set) {
  std::vector<Candidate> all;
  while (true) {
    const auto block = set.next();
    EXPECT_TRUE(block) << block.error().message;
    if (!block || block->empty()) return all;
    all.insert(all.end(), block->begin(), block->end());
  }
}

void add_from_threads(CandidateSet& set, std::span<const Candidate> candidates, int num_threads) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < num_threads; ++thread) {
    threads.emplace_back([&set, candidates, thread, num_threads] {
      constexpr size_t kBlock = 777;
      for (size_t i = static_cast<size_t>(thread) * kBlock; i < candidates.size(); i += kBlock * num_threads)
        ASSERT_TRUE(set.add(candidates.subspan(i, std::min(kBlock, candidates.size() - i)), thread));
    });
  }
}

TEST_F(Candidates, AgreeWithSortAndUnique) {
  for (const uint32_t num_documents : {2U, 30U, 2000U, 1U << 26, 1U << 28, 0xffffffffU}) {
    for (const size_t count : {0, 1, 5000, 60'000}) {
      const auto candidates = random_candidates(count, num_documents, num_documents ^ static_cast<uint32_t>(count));
      const auto expected = sorted_by_the_book(candidates);
      for (const uint64_t memory_bytes : {0U, 1U, 300'000U}) {
        for (const int num_threads : {1, 3}) {
          auto set = CandidateSet::create(folder_, memory_bytes, num_threads, num_documents).value();
          add_from_threads(set, candidates, num_threads);
          ASSERT_TRUE(set.finish());
          ASSERT_EQ(set.size(), expected.size());
          ASSERT_TRUE(read_all(set) == expected) << num_documents << " " << count << " " << memory_bytes;
          set.rewind();
          ASSERT_TRUE(read_all(set) == expected);
        }
        ASSERT_EQ(num_files(), 0U);
      }
    }
  }
}

// Runs outnumber what can be merged at once (64 KiB hold 2 read buffers), so merging takes several levels.
TEST_F(Candidates, MergesInSeveralLevels) {
  const auto candidates = random_candidates(300'000, 1U << 20, 5);
  auto set = CandidateSet::create(folder_, 1, 1).value();
  ASSERT_TRUE(set.add(candidates, 0));
  EXPECT_EQ(num_files(), 1U);
  ASSERT_TRUE(set.finish());
  EXPECT_EQ(num_files(), 1U);
  EXPECT_TRUE(read_all(set) == sorted_by_the_book(candidates));
}

TEST_F(Candidates, RepetitionsNeedNoDisk) {
  const auto candidates = random_candidates(2000, 1U << 20, 6);
  auto set = CandidateSet::create(folder_, 1, 1, 1U << 20).value();
  for (int round = 0; round < 100; ++round) ASSERT_TRUE(set.add(candidates, 0));
  ASSERT_TRUE(set.finish());
  EXPECT_EQ(num_files(), 0U);
  EXPECT_TRUE(read_all(set) == sorted_by_the_book(candidates));
}

TEST_F(Candidates, AMissingFolderIsAnError) {
  auto set = CandidateSet::create(folder_ + "/none", 1, 1).value();
  const auto candidates = random_candidates(100'000, 1U << 20, 7);
  const Status status = set.add(candidates, 0);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kNotFound);
}

TEST_F(Candidates, UnfinishedSetsLeaveNoFiles) {
  {
    auto set = CandidateSet::create(folder_, 1, 1).value();
    ASSERT_TRUE(set.add(random_candidates(100'000, 1U << 20, 8), 0));
    EXPECT_EQ(num_files(), 1U);
    const CandidateSet moved = std::move(set);
  }
  EXPECT_EQ(num_files(), 0U);
}

}  // namespace
}  // namespace neardup::cluster
