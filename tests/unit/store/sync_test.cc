// A store that acknowledges before it writes: what it may lose, and who is told.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "neardup/base/disk/file_system.h"
#include "neardup/store/embedded_store.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

// Counts waits for the disk; they fail on request, or take no time.
class Disk : public FileSystem {
 public:
  [[nodiscard]] int fdatasync(int) override {
    const bool fails = is_broken;
    ++num_syncs;
    if (fails) errno = EIO;
    return fails ? -1 : 0;
  }
  [[nodiscard]] int fsync(int) override { return 0; }
  std::atomic<int> num_syncs = 0;
  std::atomic<bool> is_broken = false;
};

class SyncTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  void make(uint32_t sync_every_ms) {
    StoreOptions options;
    options.sync_every_ms = sync_every_ms;
    const StoreSettings settings{.num_fingerprints = 1};
    auto made = EmbeddedStore::create(folder_, settings, options);
    ASSERT_TRUE(made);
    store_ = std::move(*made);
  }
  void open() {
    store_.reset();
    auto opened = EmbeddedStore::open(folder_);
    ASSERT_TRUE(opened);
    store_ = std::move(*opened);
  }
  Status put(int number) {
    const OwnedRecord document = document_of("d" + std::to_string(number), number * 20);
    const Record view = document.view();
    return store_->put({&view, 1});
  }
  bool has(int number) {
    return *store_->find("d" + std::to_string(number), [](const Record&) {});
  }
  // Waits for the disk's thread, a minute at most.
  template <class Condition>
  void wait_until(const Condition& condition) {
    bool is_met = false;
    for (int i = 0; i < 60'000 && !is_met; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      is_met = condition();
    }
    ASSERT_TRUE(is_met);
  }

  std::string folder_;
  Disk disk_;
  ReplacedFileSystem replaced_{disk_};
  std::unique_ptr<EmbeddedStore> store_;
};

TEST_F(SyncTest, ACallDoesNotWaitAndIsSeenAtOnce) {
  make(3'600'000);
  const int before = disk_.num_syncs;
  ASSERT_TRUE(put(1));
  EXPECT_TRUE(has(1));
  EXPECT_EQ(disk_.num_syncs, before);
  open();  // the end writes all
  EXPECT_GT(disk_.num_syncs, before);
  EXPECT_TRUE(has(1));
}

TEST_F(SyncTest, WhatWasAcknowledgedIsWrittenSoon) {
  make(1);
  const int before = disk_.num_syncs;
  ASSERT_TRUE(put(1));
  wait_until([&] { return disk_.num_syncs > before; });
}

TEST_F(SyncTest, ALossIsToldToTheNextCallerOnce) {
  make(1);
  ASSERT_TRUE(put(1));
  ASSERT_TRUE(store_->checkpoint());
  disk_.is_broken = true;
  const int before = disk_.num_syncs;
  ASSERT_TRUE(put(2));
  EXPECT_TRUE(has(2));
  wait_until([&] { return disk_.num_syncs > before; });
  disk_.is_broken = false;
  Status told;
  wait_until([&] { return !(told = put(3)); });
  EXPECT_EQ(told.error().code, Code::kIo);
  EXPECT_FALSE(has(2));
  EXPECT_TRUE(put(4));
  EXPECT_TRUE(store_->checkpoint());
  open();
  EXPECT_TRUE(has(1));
  EXPECT_FALSE(has(2));
  EXPECT_FALSE(has(3));
  EXPECT_TRUE(has(4));
}

TEST_F(SyncTest, ACheckpointTellsOfALoss) {
  make(1);
  disk_.is_broken = true;
  const int before = disk_.num_syncs;
  ASSERT_TRUE(put(1));
  wait_until([&] { return disk_.num_syncs > before; });
  disk_.is_broken = false;
  wait_until([&] { return !store_->checkpoint(); });
  EXPECT_TRUE(store_->checkpoint());
  EXPECT_FALSE(has(1));
}

}  // namespace
}  // namespace neardup::store
