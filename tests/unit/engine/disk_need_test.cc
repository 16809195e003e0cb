// A run tells what disk it needs while it can still get another one.
#include "neardup/engine/read/disk_need.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "neardup/base/disk/file_system.h"
#include "neardup/engine/run/dedup.h"

namespace neardup::engine {
namespace {

// Says what is free by the beginning of the path; the longest one counts.
class MadeUpDisks : public FileSystem {
 public:
  using Disks = std::map<std::string, DiskSpace>;
  explicit MadeUpDisks(Disks disks) : disks_(std::move(disks)) {}
  std::optional<DiskSpace> space(const char* path) override {
    std::optional<DiskSpace> found;
    for (const auto& [beginning, disk] : disks_)
      if (std::string_view(path).starts_with(beginning)) found = disk;
    return found;
  }

 private:
  Disks disks_;
};

TEST(DiskNeed, GrowsWithWhatIsLeftOfTheInputs) {
  EXPECT_EQ(work_to_come(600, 1000, 4000), 1800U);
  EXPECT_EQ(work_to_come(600, 1000, 1000), 0U);
  EXPECT_EQ(work_to_come(600, 0, 1000), 0U) << "nothing is known yet";
  EXPECT_EQ(work_to_come(600, 2000, 1000), 0U) << "an input that grew";
}

TEST(DiskNeed, OfOneDiskIsWorkAndResults) {
  MadeUpDisks disks(MadeUpDisks::Disks{{"o", {.device = 1, .free_bytes = 3000}}});
  const ReplacedFileSystem replaced(disks);
  EXPECT_EQ(disk_warning(WorkFolder("out"), {.work = 1000, .results = 2000}), "");
  EXPECT_EQ(
      disk_warning(WorkFolder("out"), {.work = 1001, .results = 2000}),
      "work files and results in 'out' may need 3.0 kB more, and 3.0 kB are free there: free some, or stop and give "
      "--temp DIR on another disk");
}

TEST(DiskNeed, OfTwoDisksIsToldForEach) {
  MadeUpDisks disks(
      MadeUpDisks::Disks{{"out", {.device = 1, .free_bytes = 2000}}, {"temp", {.device = 2, .free_bytes = 1000}}});
  const ReplacedFileSystem replaced(disks);
  const WorkFolder folder("out", "temp");
  EXPECT_EQ(disk_warning(folder, {.work = 1000, .results = 2000}), "");
  EXPECT_EQ(
      disk_warning(folder, {.work = 5000, .results = 2000}),
      fmt::format("work files in '{}' may need 5.0 kB more, and 1.0 kB are free there: free some, or stop and give "
                  "--temp DIR on another disk",
                  folder.work()));
  EXPECT_EQ(disk_warning(folder, {.work = 0, .results = 2001}),
            "results in 'out' may need 2.0 kB more, and 2.0 kB are free there: free some, or choose another folder");
}

TEST(DiskNeed, IsNotToldWhereTheSystemDoesNotSay) {
  MadeUpDisks disks(MadeUpDisks::Disks{});
  const ReplacedFileSystem replaced(disks);
  EXPECT_EQ(disk_warning(WorkFolder("out"), {.work = 1000, .results = 1000}), "");
}

class KeptWarnings : public Progress {
 public:
  void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override {}
  void advance(uint64_t, uint64_t) override {}
  void end_stage() override {}
  void warn(std::string_view message) override {
    const std::scoped_lock lock(mutex_);
    warnings_.emplace_back(message);
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return warnings_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

class DiskNeedOfARun : public ::testing::Test {
 protected:
  DiskNeedOfARun() {
    std::filesystem::create_directories(root_);
    std::ofstream input(root_ + "/in.jsonl");
    for (int i = 0; i < 2000; ++i) input << fmt::format("{{\"id\":\"{0}\",\"text\":\"text {0} of many texts\"}}\n", i);
  }
  ~DiskNeedOfARun() override { std::filesystem::remove_all(root_); }

  [[nodiscard]] std::vector<std::string> warnings_with(uint64_t free_bytes) const {
    MadeUpDisks disks(MadeUpDisks::Disks{{root_, {.device = 1, .free_bytes = free_bytes}}});
    const ReplacedFileSystem replaced(disks);
    DedupOptions options;
    options.inputs = {root_ + "/in.jsonl"};
    options.output = root_ + "/out";
    options.temp = root_ + "/work";
    options.read.batch_bytes = 4096;
    options.overwrite = true;
    KeptWarnings warnings;
    const auto report = dedup(options, {.progress = &warnings});
    EXPECT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(std::filesystem::is_empty(root_ + "/work")) << "what a complete run has left";
    return warnings.all();
  }

  const std::string root_ =
      (std::filesystem::temp_directory_path() / fmt::format("neardup-disk-need-{}", ::getpid())).string();
};

TEST_F(DiskNeedOfARun, IsToldOnce) {
  EXPECT_TRUE(warnings_with(uint64_t{1} << 40).empty());
  const std::vector<std::string> warnings = warnings_with(1000);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings.front().starts_with("work files and results in '" + root_ + "/out' may need ")) << warnings[0];
}

}  // namespace
}  // namespace neardup::engine
