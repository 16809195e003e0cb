// A store through what happens to one that runs for years: a disk that was full for a while, a second process, a clock
// that jumps, masses of erasures, an end in the middle of merges.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <random>
#include <string_view>
#include <thread>

#include "neardup/store/check_store.h"
#include "neardup/store/embedded_store.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;

class StoreHardshipTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::unique_ptr<EmbeddedStore> open() const {
    auto store = fs::exists(folder_ + "/MANIFEST")
                     ? EmbeddedStore::open(folder_, options_)
                     : EmbeddedStore::create(folder_, {.num_fingerprints = 1, .has_passages = true, .max_distance = 3},
                                             options_);
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  static bool insert(EmbeddedStore& store, const OwnedRecord& document) {
    const Record view = document.view();
    return store.check_and_insert({&view, 1}, ByNumber()).has_value();
  }
  [[nodiscard]] static OwnedRecord numbered(int i) { return document_of("d" + std::to_string(i), i * 28); }

  std::string folder_ = own_path();
  StoreOptions options_;
};

// The store stays open: nobody has to end it and begin again once there is room.
TEST_F(StoreHardshipTest, OnceThereIsRoomAgainItGoesOnByItself) {
  for (const int error : {ENOSPC, EIO}) {
    for (uint64_t n = 1; n < 40; n += 3) {
      const std::string where = std::to_string(error) + ":" + std::to_string(n);
      fs::remove_all(folder_);
      auto store = open();
      std::vector<int> acknowledged;
      int next = 0;
      const auto send = [&] {
        if (insert(*store, numbered(next))) acknowledged.push_back(next);
        ++next;
      };
      for (int i = 0; i < 3; ++i) send();
      {
        FailingFileSystem full({.n = n, .error = error, .lasts = true});
        const ReplacedFileSystem replaced(full);
        for (int i = 0; i < 6; ++i) {
          send();
          if (i % 3 == 1) static_cast<void>(store->checkpoint());
        }
      }
      const size_t before = acknowledged.size();
      for (int i = 0; i < 3; ++i) send();
      ASSERT_EQ(acknowledged.size(), before + 3) << where;
      const Status made = store->checkpoint();
      ASSERT_TRUE(made) << where << " " << made.error().message;
      ASSERT_EQ(store->statistics()->documents, acknowledged.size()) << where;
      store.reset();
      store = open();
      ASSERT_EQ(store->statistics()->documents, acknowledged.size()) << where;
      for (const int i : acknowledged)
        ASSERT_TRUE(*store->find("d" + std::to_string(i), [](const Record&) {})) << where;
    }
  }
}

// Names can be made, and no bytes written; or only the file of what a checkpoint has made cannot be exchanged.
class FullDisk : public FileSystem {
 public:
  enum class Full { kNot, kForManifest, kWholly };

  [[nodiscard]] ssize_t write(int descriptor, const void* bytes, size_t size) override {
    return full == Full::kWholly ? refuse() : FileSystem::write(descriptor, bytes, size);
  }
  [[nodiscard]] ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) override {
    return full == Full::kWholly ? refuse() : FileSystem::pwrite(descriptor, bytes, size, offset);
  }
  [[nodiscard]] int rename(const char* from, const char* to) override {
    const bool is_refused = full == Full::kForManifest && std::string_view(to).ends_with("/MANIFEST");
    return is_refused ? refuse() : FileSystem::rename(from, to);
  }
  std::atomic<Full> full = Full::kNot;

 private:
  static int refuse() {
    errno = ENOSPC;
    return -1;
  }
};

// With as many logs to read again as a start moves to files on its way.
TEST_F(StoreHardshipTest, AStartOnAFullDiskAnswersAndGoesOnByItselfOnceThereIsRoom) {
  FullDisk disk;
  const ReplacedFileSystem replaced(disk);
  constexpr int kLogs = 10;
  ASSERT_NE(open(), nullptr);
  disk.full = FullDisk::Full::kForManifest;
  for (int i = 0; i < kLogs; ++i) ASSERT_TRUE(insert(*open(), numbered(i)));
  disk.full = FullDisk::Full::kWholly;
  auto store = open();
  ASSERT_NE(store, nullptr);
  const auto holds_all = [&](int end) {
    for (int i = 0; i < end; ++i)
      if (!*store->find("d" + std::to_string(i), [](const Record&) {})) return false;
    return store->statistics()->documents == static_cast<uint64_t>(end);
  };
  EXPECT_TRUE(holds_all(kLogs));
  const OwnedRecord late = numbered(kLogs);
  const Record view = late.view();
  EXPECT_EQ(store->put({&view, 1}).error().code, Code::kDiskFull);
  EXPECT_EQ(store->checkpoint().error().code, Code::kDiskFull);
  EXPECT_EQ(store->begin_tag("t").error().code, Code::kDiskFull);
  EXPECT_TRUE(holds_all(kLogs));
  disk.full = FullDisk::Full::kNot;
  EXPECT_TRUE(insert(*store, late));
  EXPECT_TRUE(store->checkpoint());
  store.reset();
  store = open();
  EXPECT_TRUE(holds_all(kLogs + 1));
}

// The lock goes with the process, however it ends.
TEST_F(StoreHardshipTest, OfTwoProcessesOneHasIt) {
  ASSERT_NE(open(), nullptr);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = EmbeddedStore::open(folder_, options_);
    const char is_done = store && insert(**store, numbered(1)) ? 'y' : 'n';
    static_cast<void>(::write(ready[1], &is_done, 1) == 1);
    while (true) ::pause();
  }
  char is_done = 'n';
  EXPECT_EQ(::read(ready[0], &is_done, 1), 1);
  EXPECT_EQ(is_done, 'y');
  const auto refused = EmbeddedStore::open(folder_, options_);
  const auto checked = check_store(folder_, options_);
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  for (const int end : ready) ::close(end);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kIo);
  EXPECT_NE(refused.error().message.find("another process"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(checked);
  EXPECT_TRUE(*open()->find("d1", [](const Record&) {}));
}

// It looks at no clock: only the times that documents bring count, in whatever order they come.
TEST_F(StoreHardshipTest, TimesMayJumpToAnywhere) {
  constexpr int64_t kTimes[] = {0, 1'700'000'000, std::numeric_limits<int64_t>::max(), -1,
                                1, 1'600'000'000, std::numeric_limits<int64_t>::min(), 1'700'000'000'000};
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  StoreModel model(3);
  auto store = open();
  int next = 0;
  const auto add_some = [&] {
    for (const int64_t time : kTimes) {
      OwnedRecord document = numbered(next++);
      document.time = time;
      ASSERT_TRUE(insert(*store, document));
      model.check_and_insert(document);
    }
  };
  for (const int64_t before : {std::numeric_limits<int64_t>::min(), int64_t{0}, int64_t{1'650'000'000}, int64_t{1},
                               std::numeric_limits<int64_t>::max()}) {
    add_some();
    ASSERT_TRUE(store->checkpoint());
    add_some();
    ASSERT_EQ(*store->expire(before), model.expire(before)) << before;
    ASSERT_EQ(seen_in(*store), seen_in(model)) << before;
    store.reset();
    store = open();
    ASSERT_EQ(seen_in(*store), seen_in(model)) << before;
    ASSERT_EQ(*store->expire(before), 0u) << before;
  }
}

// `neardup bench store --count 1e7` erases a million beside writers, and says how long the slowest call took.
TEST_F(StoreHardshipTest, MassesAreErasedBesideWriters) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  constexpr int kCount = 40'000, kAtOnce = 1000;
  options_.log_bytes = 1 << 20;
  auto store = open();
  for (int begin = 0; begin < kCount; begin += kAtOnce) {
    std::vector<OwnedRecord> documents;
    for (int i = begin; i < begin + kAtOnce; ++i) {
      documents.push_back(numbered(i));
      if (i % 8 != 0) documents.back().tag = "goes";
    }
    ASSERT_TRUE(store->put(views_of(documents)));
  }
  std::atomic<bool> is_erased = false;
  int written = 0;
  std::thread writer([&] {
    while (!is_erased || written < 100) {
      EXPECT_TRUE(insert(*store, numbered(kCount + written)));
      ++written;
    }
  });
  const auto erased = store->erase_tag("goes");
  is_erased = true;
  writer.join();
  ASSERT_TRUE(erased) << erased.error().message;
  EXPECT_EQ(*erased, uint64_t{kCount} / 8 * 7);
  for (const char* when : {"erased", "again", "checkpoint", "again"}) {
    if (when == std::string_view("again")) store.reset(), store = open();
    if (when == std::string_view("checkpoint")) {
      ASSERT_TRUE(store->checkpoint());
    }
    ASSERT_EQ(store->statistics()->documents, static_cast<uint64_t>(kCount / 8 + written)) << when;
    for (int i = 0; i < kCount; i += 997)
      ASSERT_EQ(store->query(numbered(i).view(), ByNumber(), 9)->found.size(), i % 8 == 0 ? 1u : 0u) << when << i;
  }
}

// Small segments, so that there is always something to merge; of the ends some come in the middle of a checkpoint.
TEST_F(StoreHardshipTest, AnEndInTheMiddleOfMergesTakesNothing) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  std::mt19937_64 random(11);
  StoreModel model(3);
  options_.map_keys = 64;
  options_.log_bytes = 4096;
  for (int round = 0; round < 40; ++round) {
    std::atomic<bool> stops = false;
    options_.context.cancel = &stops;
    auto store = open();
    ASSERT_NE(store, nullptr);
    ASSERT_EQ(seen_in(*store), seen_in(model)) << round;
    std::thread ending([&, wait = random() % 5000] {
      std::this_thread::sleep_for(std::chrono::microseconds(wait));
      stops = true;
    });
    for (int i = 0; i < 20; ++i) {
      const OwnedRecord document = with_passages(some_document(random));
      const bool is_there = insert(*store, document);
      EXPECT_TRUE(is_there || stops);  // a merge that was stopped is told to who comes
      if (is_there) model.check_and_insert(document);
      if (i % 5 == 4) static_cast<void>(store->checkpoint());
    }
    ending.join();
    store.reset();
    options_.context.cancel = nullptr;
  }
  const auto checked = check_store(folder_, options_);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->faults, std::vector<std::string>());
}

}  // namespace
}  // namespace neardup::store
