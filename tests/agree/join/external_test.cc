// Joins through a work folder: the pairs of the join in memory, in order, whatever the cut, and after being killed.
#include "neardup/join/disk/external.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/agree/join/linear_scan.h"

namespace neardup::join {
namespace {

class External : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "neardup_external_" + std::to_string(getpid());
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] ExternalOptions options(int k, ExternalLayout layout = {}) const {
    ExternalOptions options;
    options.max_distance = k;
    options.num_threads = 2;
    options.memory_bytes = ExternalOptions::kLeastMemory;
    options.folder = folder_;
    options.layout = layout;
    return options;
  }

  // The pairs in the order of delivery.
  static Result<Pairs> self(const Set& set, const ExternalOptions& options) {
    const auto source = make_array_source(set);
    Pairs pairs;
    NEARDUP_TRY(external_self_join(*source, options, [&](std::span<const Pair> block) -> Status {
      pairs.insert(pairs.end(), block.begin(), block.end());
      return {};
    }));
    return pairs;
  }

  std::string folder_;
};

TEST_F(External, AgreesWithTheLinearScanHoweverItIsCut) {
  Set set = random_set(4000, 5, 1);
  for (size_t i = 0; i < 500; ++i) set.push_back(set[i % 20] ^ (i & 3));
  const Pairs all = linear_self_join(set, 10);
  for (const int k : {0, 3, 10}) {
    for (const ExternalLayout layout : {ExternalLayout{}, {0, 1024}, {1, 1 << 20}, {3, 512}}) {
      const auto found = self(set, options(k, layout));
      ASSERT_TRUE(found) << found.error().message;
      expect_same(within(all, k), *found, "k " + std::to_string(k) + " bits " + std::to_string(layout.bits));
      std::filesystem::remove_all(folder_);
    }
  }
}

TEST_F(External, BetweenSets) {
  const Set left = random_set(1500, 3, 1);
  Set right = random_set(4000, 3, 2);
  for (size_t i = 0; i < left.size(); i += 2) right.push_back(left[i] ^ (i & 0x111));
  const Pairs all = linear_cross_join(left, right, 6);
  for (const int k : {0, 3, 6}) {
    for (const ExternalLayout layout : {ExternalLayout{}, {0, 512}, {3, 1024}}) {
      const auto a = make_array_source(left), b = make_array_source(right);
      Pairs found;
      ASSERT_TRUE(external_cross_join(*a, *b, options(k, layout), [&](std::span<const Pair> block) -> Status {
        found.insert(found.end(), block.begin(), block.end());
        return {};
      }));
      expect_same(within(all, k), found, "k " + std::to_string(k));
      std::filesystem::remove_all(folder_);
    }
  }
}

// Stops the process or the join after so many partitions.
class Stopper : public Progress {
 public:
  Stopper(int after, std::atomic<bool>* cancel) : left_(after), cancel_(cancel) {}
  void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override {}
  void advance(uint64_t, uint64_t) override {
    if (left_-- > 0) return;
    if (cancel_ == nullptr) std::raise(SIGKILL);
    if (cancel_ != nullptr) *cancel_ = true;
  }
  void end_stage() override {}
  void warn(std::string_view) override {}

 private:
  int left_;
  std::atomic<bool>* cancel_;
};

TEST_F(External, KilledAndCalledAgainGivesTheSame) {
  const Set set = random_set(3000, 3, 7);
  const ExternalLayout layout{2, 512};
  const Pairs expected = linear_self_join(set, 3);
  for (const int after : {0, 1, 3, 4, 9, 15}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Stopper killer(after, nullptr);
      ExternalOptions killed = options(3, layout);
      killed.context.progress = &killer;
      static_cast<void>(self(set, killed));
      _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it ended before it was killed";
    const auto found = self(set, options(3, layout));
    ASSERT_TRUE(found) << found.error().message;
    expect_same(expected, *found, "killed after " + std::to_string(after));
    std::filesystem::remove_all(folder_);
  }
}

TEST_F(External, CancelledGoesOnAndDoesNotBeginAgain) {
  const Set set = random_set(3000, 3, 8);
  std::atomic<bool> cancel = false;
  Stopper stopper(6, &cancel);
  ExternalOptions stopped = options(3, {2, 512});
  stopped.context = {&stopper, &cancel};
  EXPECT_EQ(self(set, stopped).error().code, Code::kCancelled);
  const auto first = std::filesystem::last_write_time(folder_ + "/pairs-0-0-done");
  const auto found = self(set, options(3, {2, 512}));
  ASSERT_TRUE(found);
  expect_same(linear_self_join(set, 3), *found, "");
  EXPECT_EQ(std::filesystem::last_write_time(folder_ + "/pairs-0-0-done"), first) << "a finished part was made again";
}

TEST_F(External, RefusesTheFolderOfAnotherJoin) {
  ASSERT_TRUE(self(random_set(100, 3, 1), options(3)));
  EXPECT_EQ(self(random_set(100, 3, 1), options(4)).error().code, Code::kMismatch);
  EXPECT_EQ(self(random_set(101, 3, 1), options(3)).error().code, Code::kMismatch);
  ExternalOptions other = options(3);
  other.identity = "another file";
  EXPECT_EQ(self(random_set(100, 3, 1), other).error().code, Code::kMismatch);
}

TEST_F(External, SeesDamage) {
  const Set set = random_set(3000, 3, 9);
  ASSERT_TRUE(self(set, options(3, {2, 512})));
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("pairs-") || name.ends_with("-done") || entry.file_size() < 100) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.put('x');
    break;
  }
  EXPECT_EQ(self(set, options(3, {2, 512})).error().code, Code::kCorruption);
}

TEST_F(External, RefusesTooLittleMemoryAndBadDistances) {
  ExternalOptions small = options(3);
  small.memory_bytes = 1000;
  EXPECT_EQ(self({1, 2}, small).error().code, Code::kMemory);
  EXPECT_EQ(self({1, 2}, options(17)).error().code, Code::kInvalidArgument);
}

TEST_F(External, LayoutCutsOnlyWhatIsFarLargerThanMemory) {
  const uint64_t memory = uint64_t{4} << 30;
  EXPECT_EQ(choose_layout(1'000'000, 3, memory).bits, 0);
  const ExternalLayout large = choose_layout(10'000'000'000, 3, memory);
  EXPECT_GT(large.bits, 0);
  EXPECT_LE((large.bits) * 4, 64);
  EXPECT_LE(choose_layout(10'000'000'000, 16, memory).bits * 17, 64);
}

TEST_F(External, PairsAreSortedWithinSmallMemory) {
  std::filesystem::create_directories(folder_);
  std::mt19937_64 random(1);
  for (const uint64_t memory : {uint64_t{0}, uint64_t{24} << 10}) {
    PairSorter sorter(folder_ + "/run-", memory);
    Pairs expected;
    for (int block = 0; block < 60; ++block) {
      Pairs pairs;
      for (int i = 0; i < 1000; ++i)
        pairs.push_back({random() % 100'000, random() % 1000, static_cast<uint32_t>(random() % 3)});
      ASSERT_TRUE(sorter.add(pairs));
      expected.insert(expected.end(), pairs.begin(), pairs.end());
    }
    std::sort(expected.begin(), expected.end());
    const auto same = [](const Pair& x, const Pair& y) { return x.a == y.a && x.b == y.b; };
    expected.erase(std::unique(expected.begin(), expected.end(), same), expected.end());
    Pairs found;
    ASSERT_TRUE(sorter.deliver(folder_, {}, [&](std::span<const Pair> block) -> Status {
      found.insert(found.end(), block.begin(), block.end());
      return {};
    }));
    expect_same(expected, found, "memory " + std::to_string(memory));
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "files are left";
  }
}

}  // namespace
}  // namespace neardup::join
