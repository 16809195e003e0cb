#include "neardup/bench/sync_rate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <iterator>
#include <string>
#include <thread>

#include "tests/failing_file_system.h"
#include "tests/own_path.h"

namespace neardup::bench {
namespace {

class SyncRateTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(folder_); }
  [[nodiscard]] static auto num_open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  }
  /// Expects a rate, and that nobody sees a file meanwhile.
  void expect_unseen() const {
    auto rate = std::async(std::launch::async, [&] { return fdatasync_rate(folder_); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(is_empty());
    const auto measured = rate.get();
    ASSERT_TRUE(measured) << measured.error().message;
    EXPECT_GT(*measured, 0);
    EXPECT_TRUE(is_empty());
  }

  const std::string folder_ = own_path();
};

TEST_F(SyncRateTest, ShowsNothingInTheFolder) { expect_unseen(); }

TEST_F(SyncRateTest, ShowsNothingWhereEachFileHasAName) {
  FailingFileSystem named({.n = 1, .error = EOPNOTSUPP});
  const ReplacedFileSystem replaced(named);
  expect_unseen();
  EXPECT_TRUE(named.failed());
}

TEST_F(SyncRateTest, LeavesNothingWhereTheDiskIsFull) {
  const auto before = num_open_files();
  for (uint64_t n = 1; n <= 6; ++n) {
    FailingFileSystem full({.n = n, .error = ENOSPC});
    const ReplacedFileSystem replaced(full);
    const auto rate = fdatasync_rate(folder_);
    ASSERT_FALSE(rate) << n;
    EXPECT_EQ(rate.error().code, Code::kDiskFull) << n;
    EXPECT_TRUE(is_empty()) << n;
    EXPECT_EQ(num_open_files(), before) << n;
  }
}

}  // namespace
}  // namespace neardup::bench
