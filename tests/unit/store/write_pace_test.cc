// Writers beside checkpoints that do not keep up: what waits has a bound, all get through, nothing hangs.
#include "neardup/store/write_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "neardup/store/embedded_store.h"
#include "tests/own_path.h"
#include "tests/quickest.h"
#include "tests/slow_file_system.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr uint64_t kLogBytes = uint64_t{1} << 20;
constexpr uint64_t kMostWaiting = 4 * kLogBytes;
constexpr int kBatch = 5;
constexpr size_t kBodyBytes = 20'000;
constexpr uint64_t kBatchBytes = kBatch * (kBodyBytes + 200);

// --- alone

struct Paced {
  std::atomic<uint64_t> waiting{0};
  std::atomic<int> demanded{0};
  std::atomic<bool> stops{false};
  WritePace pace{kLogBytes, [this] { return waiting.load(); }, [this] { ++demanded; }, {nullptr, &stops}};

  [[nodiscard]] milliseconds turn() {
    const auto begun = WritePace::Clock::now();
    pace.wait_turn();
    return std::chrono::duration_cast<milliseconds>(WritePace::Clock::now() - begun);
  }
  /// The shortest of some turns, as the machine may be busy: who waits for `too_long` does so each time.
  [[nodiscard]] milliseconds shortest_turn(milliseconds too_long) {
    return quickest(too_long, [this] { return turn(); });
  }
};

TEST(WritePaceTest, NobodyWaitsWhereLittleDoes) {
  Paced paced;
  paced.waiting = paced.pace.begin_bytes();
  paced.pace.wrote(kMostWaiting);
  constexpr milliseconds kMost(20);
  EXPECT_LT(paced.shortest_turn(kMost), kMost);
  EXPECT_EQ(paced.demanded, 0);
}

TEST(WritePaceTest, PausesGrowWithWhatWaits) {
  Paced paced;
  paced.pace.begin_checkpoint(kLogBytes);
  std::this_thread::sleep_for(milliseconds(10));
  paced.pace.end_checkpoint(true);  // 100 MB a second at most: half a minute for what is written, which nobody waits
  for (const uint64_t quarters : {1, 2, 3}) {
    paced.waiting = paced.pace.begin_bytes() + quarters * (paced.pace.most_bytes() - paced.pace.begin_bytes()) / 4;
    paced.pace.wrote(uint64_t{1} << 32);
    const milliseconds least(100 * 4 / (4 - quarters)), most = 5 * least;
    const milliseconds taken = paced.shortest_turn(most);
    EXPECT_GE(taken, least);
    EXPECT_LT(taken, most);
  }
  EXPECT_GT(paced.demanded, 0);
}

TEST(WritePaceTest, WhereTooMuchWaitsACheckpointLetsGoOn) {
  Paced paced;
  paced.waiting = paced.pace.most_bytes();
  paced.pace.begin_checkpoint(paced.waiting);
  std::atomic<bool> is_through = false;
  std::thread writer([&] {
    paced.pace.wait_turn();
    is_through = true;
  });
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_FALSE(is_through);
  paced.waiting = 0;
  paced.pace.end_checkpoint(true);
  writer.join();
}

TEST(WritePaceTest, TheWishToStopEndsAWait) {
  Paced paced;
  paced.waiting = paced.pace.most_bytes();
  std::thread writer([&] { paced.pace.wait_turn(); });
  std::this_thread::sleep_for(milliseconds(50));
  paced.stops = true;
  writer.join();
}

TEST(WritePaceTest, AFailureEndsAWait) {
  Paced paced;
  paced.waiting = 2 * paced.pace.most_bytes();
  paced.pace.begin_checkpoint(paced.waiting);
  std::thread writer([&] { paced.pace.wait_turn(); });
  std::this_thread::sleep_for(milliseconds(50));
  paced.pace.end_checkpoint(false);
  writer.join();
  constexpr milliseconds kMost(500);
  const milliseconds next = paced.shortest_turn(kMost);
  EXPECT_GE(next, milliseconds(99));
  EXPECT_LT(next, kMost);
}

// --- in a store

class PacedStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    StoreOptions options;
    options.log_bytes = kLogBytes;
    auto made = EmbeddedStore::create(folder_, {.num_fingerprints = 1, .max_distance = 3}, options);
    ASSERT_TRUE(made) << made.error().message;
    store_ = std::move(*made);
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(folder_);
  }

  void insert_batch() {
    std::vector<OwnedRecord> documents;
    for (int i = 0; i < kBatch; ++i) {
      const int number = next_.fetch_add(28);  // near no other
      documents.push_back(document_of("d" + std::to_string(number), number));
      documents.back().body.resize(kBodyBytes, ' ');
    }
    const auto views = views_of(documents);
    const auto answers = store_->check_and_insert(views, ByNumber());
    ASSERT_TRUE(answers) << answers.error().message;
  }
  [[nodiscard]] uint64_t waiting_bytes() const { return store_->statistics()->log_bytes; }

  static constexpr size_t kCallers = 4;
  struct Seen {
    milliseconds delay{0}, worst{0};  // of a checkpoint; of a call
    uint64_t most_bytes = 0;          // that waited
    int fewest_calls = 0, most_calls = 0;
    uint64_t checkpoints = 0;
    [[nodiscard]] bool all_got_through() const {
      return most_bytes > kMostWaiting / 2 && fewest_calls * 4 >= most_calls && worst < delay * 15 / 2 &&
             checkpoints > 2;
    }
  };
  /// Of several who write for as long as ten checkpoints take at least.
  Seen write_beside_slow_checkpoints(milliseconds delay) {
    const ReplacedFileSystem replaced(disk_.emplace(SlowFiles{.part = "/MANIFEST", .delay = delay}));
    std::atomic<uint64_t> most = 0;
    std::array<int, kCallers> calls{};
    std::array<milliseconds, kCallers> worst{};
    std::vector<std::thread> callers;
    const auto begun = WritePace::Clock::now(), end = begun + 10 * delay;
    for (size_t caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        while (WritePace::Clock::now() < end) {
          const auto called = WritePace::Clock::now();
          insert_batch();
          worst[caller] =
              std::max(worst[caller], std::chrono::duration_cast<milliseconds>(WritePace::Clock::now() - called));
          ++calls[caller];
          const uint64_t waiting = waiting_bytes();
          for (uint64_t before = most; before < waiting && !most.compare_exchange_weak(before, waiting);) continue;
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    const auto [fewest, most_calls] = std::ranges::minmax(calls);
    const Seen seen{delay, std::ranges::max(worst), most, fewest, most_calls, store_->statistics()->checkpoints};
    store_.reset();  // its thread may be within a call of the disk
    return seen;
  }

  std::string folder_ = own_path();
  std::optional<SlowFileSystem> disk_;  // before the store, whose thread may be within a call
  std::unique_ptr<EmbeddedStore> store_;
  std::atomic<int> next_{0};
};

// A busy machine may let one thread wait, and write too little meanwhile: then again, with checkpoints that take
// longer, and as much more time for all. What is stuck or overtaken for ever is so each time.
TEST_F(PacedStoreTest, WhatWaitsForASlowCheckpointHasABoundAndAllGetThrough) {
  Seen seen;
  for (int times = 1; times <= 5 && !seen.all_got_through(); ++times) {
    if (times > 1) TearDown(), SetUp();
    seen = write_beside_slow_checkpoints(times * milliseconds(200));
    EXPECT_LE(seen.most_bytes, kMostWaiting + kCallers * kBatchBytes);
  }
  EXPECT_GT(seen.most_bytes, kMostWaiting / 2);  // else it was not tried
  EXPECT_GE(seen.fewest_calls * 4, seen.most_calls);
  EXPECT_LT(seen.worst, seen.delay * 15 / 2);
  EXPECT_GT(seen.checkpoints, 2U);
  RecordProperty("worst_ms", static_cast<int>(seen.worst.count()));
  RecordProperty("most_bytes", std::to_string(seen.most_bytes));
  RecordProperty("calls", std::to_string(seen.fewest_calls) + " to " + std::to_string(seen.most_calls));
}

TEST_F(PacedStoreTest, ACheckpointThatFailsForEverHoldsNobodyUpForEver) {
  {
    const ReplacedFileSystem replaced(disk_.emplace(SlowFiles{.part = "/MANIFEST", .error = EIO}));
    while (waiting_bytes() < kMostWaiting + 5 * kBatchBytes) insert_batch();
    constexpr milliseconds kMost(5000);
    EXPECT_LT(quickest_call(kMost, [&] { insert_batch(); }), kMost);
    EXPECT_GT(store_->statistics()->failed_checkpoints, 0U);
    EXPECT_EQ(store_->statistics()->checkpoints, 0U);
  }
  ASSERT_TRUE(store_->checkpoint());
  EXPECT_LT(waiting_bytes(), kLogBytes);
  const auto documents = store_->statistics()->documents;
  store_.reset();
  auto again = EmbeddedStore::open(folder_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->statistics()->documents, documents);
}

}  // namespace
}  // namespace neardup::store
