// A store that acknowledges before it writes: what it may lose, and who is told.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "neardup/base/disk/file.h"
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
  // Copies the store as a kill would leave it; returns its newest log.
  [[nodiscard]] std::string copy_folder(const std::string& to) const {
    std::filesystem::remove_all(to);
    std::filesystem::copy(folder_, to, std::filesystem::copy_options::recursive);
    std::string newest;
    for (const auto& entry : std::filesystem::directory_iterator(to))
      if (entry.path().extension() == ".log") newest = std::max(newest, entry.path().string());
    return newest;
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

// A copy of the folder is what a kill leaves: nothing of the process's memory, all that is in files.
TEST_F(SyncTest, AKillTakesNothingThatWasAcknowledged) {
  make(3'600'000);
  const std::string killed = folder_ + "_killed";
  for (int number = 1; number <= 20; ++number) {
    ASSERT_TRUE(put(number));
    if (number == 10) ASSERT_TRUE(store_->checkpoint());
    std::filesystem::remove_all(killed);
    std::filesystem::copy(folder_, killed, std::filesystem::copy_options::recursive);
    auto opened = EmbeddedStore::open(killed);
    ASSERT_TRUE(opened) << opened.error().message;
    for (int there = 1; there <= number; ++there)
      EXPECT_TRUE(*(*opened)->find("d" + std::to_string(there), [](const Record&) {})) << there << " of " << number;
  }
  std::filesystem::remove_all(killed);
}

TEST_F(SyncTest, DamageToWhatWasSyncedIsToldAtTheNextStart) {
  make(1);
  ASSERT_TRUE(put(1));
  const std::string damaged = folder_ + "_damaged";
  std::string newest;
  Result<std::string> bytes;
  const auto count_groups = [&] {
    size_t count = 0;
    for (size_t at = bytes->find("NGRP"); at != std::string::npos; at = bytes->find("NGRP", at + 1)) ++count;
    return count;
  };
  wait_until([&] {  // the thread that syncs has said that it is on the disk
    newest = copy_folder(damaged);
    bytes = read_file(newest);
    return bytes && count_groups() == 2;
  });
  bytes->at(bytes->find("NGRP") + 100) ^= 1;
  ASSERT_TRUE(write_file_atomically(newest, *bytes));
  const auto opened = EmbeddedStore::open(damaged);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kCorruption);
  std::filesystem::remove_all(damaged);
}

// A loss of power may take any of the bytes that were not synced: those before others that stay.
TEST_F(SyncTest, ALossOfPowerTakesTheNewestAlone) {
  make(3'600'000);
  ASSERT_TRUE(put(1));
  ASSERT_TRUE(store_->checkpoint());
  for (int number = 2; number <= 5; ++number) ASSERT_TRUE(put(number));
  const std::string lost = folder_ + "_lost";
  const std::string newest = copy_folder(lost);
  auto bytes = read_file(newest);
  ASSERT_TRUE(bytes);
  std::vector<size_t> groups;
  for (size_t at = bytes->find("NGRP"); at != std::string::npos; at = bytes->find("NGRP", at + 1)) groups.push_back(at);
  ASSERT_EQ(groups.size(), 4u);
  std::fill(bytes->begin() + static_cast<ptrdiff_t>(groups[1]), bytes->begin() + static_cast<ptrdiff_t>(groups[2]),
            '\0');
  ASSERT_TRUE(write_file_atomically(newest, *bytes));
  const auto opened = EmbeddedStore::open(lost);
  ASSERT_TRUE(opened) << opened.error().message;
  for (int number = 1; number <= 5; ++number)
    EXPECT_EQ(*(*opened)->find("d" + std::to_string(number), [](const Record&) {}), number <= 2) << number;
  std::filesystem::remove_all(lost);
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
