#include "neardup/bench/sync_rate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "tests/failing_file_system.h"
#include "tests/own_path.h"

namespace neardup::bench {
namespace {

/// Looks into a folder whenever the disk is waited for.
template <class Disk>
class Watched : public Disk {
 public:
  template <class... Arguments>
  explicit Watched(std::string folder, const Arguments&... arguments)
      : Disk(arguments...), folder_(std::move(folder)) {}
  [[nodiscard]] int fdatasync(int descriptor) override {
    ++num_syncs;
    num_seen += std::filesystem::is_empty(folder_) ? 0 : 1;
    return Disk::fdatasync(descriptor);
  }
  int num_syncs = 0, num_seen = 0;

 private:
  const std::string folder_;
};

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
  template <class Disk>
  void expect_unseen(Watched<Disk>& disk) const {
    const ReplacedFileSystem replaced(disk);
    const auto measured = fdatasync_rate(folder_);
    ASSERT_TRUE(measured) << measured.error().message;
    EXPECT_GT(*measured, 0);
    EXPECT_GT(disk.num_syncs, 0);
    EXPECT_EQ(disk.num_seen, 0);
    EXPECT_TRUE(is_empty());
  }

  const std::string folder_ = own_path();
};

TEST_F(SyncRateTest, ShowsNothingInTheFolder) {
  Watched<FileSystem> disk(folder_);
  expect_unseen(disk);
}

TEST_F(SyncRateTest, ShowsNothingWhereEachFileHasAName) {
  Watched<FailingFileSystem> named(folder_, Fault{.n = 1, .error = EOPNOTSUPP});
  expect_unseen(named);
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
