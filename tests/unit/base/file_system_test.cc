#include "neardup/base/disk/file_system.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/many_files.h"
#include "neardup/base/disk/temporary_folder.h"
#include "tests/failing_file_system.h"
#include "tests/forgetful_file_system.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

using Unsynced = ForgetfulFileSystem::Unsynced;

class FileSystemTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(create_directories(folder_)); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  // What is at `name` after the power was lost behind `work`; "(none)" where nothing is.
  template <class Work>
  std::string after_crash(const char* name, const Work& work, Unsynced unsynced = Unsynced::kNone, uint64_t seed = 0) {
    ForgetfulFileSystem disk(folder_, 0);
    {
      const ReplacedFileSystem replaced(disk);
      work();
    }
    disk.crash(unsynced, seed);
    return read_file(path(name)).value_or("(none)");
  }
  std::string folder_ = own_path();
};

TEST_F(FileSystemTest, EachCallOfAnAtomicFileFailsInTurn) {
  ASSERT_TRUE(write_file_atomically(path("a"), "before"));
  for (const bool lasts : {false, true}) {
    uint64_t n = 1;
    for (;; ++n) {
      FailingFileSystem disk({.n = n, .error = ENOSPC, .lasts = lasts});
      const ReplacedFileSystem replaced(disk);
      const Status written = write_file_atomically(path("a"), "after");
      if (!disk.failed()) break;
      ASSERT_FALSE(written) << n;
      EXPECT_EQ(written.error().code, Code::kDiskFull);
      EXPECT_NE(written.error().message.find("'" + folder_), std::string::npos) << written.error().message;
      const auto found = read_file(path("a"));
      EXPECT_TRUE(found && (*found == "before" || *found == "after")) << n;
      ASSERT_TRUE(FileSystem().unlink(path("a").c_str()) == 0);
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directory(folder_);
      ASSERT_EQ(std::ofstream(path("a")).write("before", 6).good(), true);
    }
    EXPECT_GT(n, 6);
  }
}

TEST_F(FileSystemTest, ShortWritesAndSignalsChangeNothing) {
  const std::string bytes(1'000'000, 'x');
  FailingFileSystem disk({.cuts = true});
  const ReplacedFileSystem replaced(disk);
  ASSERT_TRUE(write_file_atomically(path("a"), bytes));
  ASSERT_TRUE(write_file_unsynced(path("b"), bytes));
  auto file = AppendFile::open(path("c"), 0);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(bytes) && file->sync());
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(*read_file(path(name)), bytes) << name;
}

TEST_F(FileSystemTest, ACommittedFileOutlastsALossOfPower) {
  const auto commit = [&] { ASSERT_TRUE(write_file_atomically(path("a"), "whole")); };
  EXPECT_EQ(after_crash("a", commit), "whole");
  for (uint64_t seed = 1; seed < 20; ++seed) EXPECT_EQ(after_crash("a", commit, Unsynced::kByChance, seed), "whole");
}

TEST_F(FileSystemTest, WhatWasNotSyncedIsForgotten) {
  EXPECT_EQ(after_crash("a", [&] { ASSERT_TRUE(write_file_unsynced(path("a"), "x")); }), "(none)");
  const auto only_name = [&] { ASSERT_TRUE(write_file_unsynced(path("a"), "x") && sync_folder(folder_)); };
  EXPECT_EQ(after_crash("a", only_name), "");
  const auto both = [&] { ASSERT_TRUE(write_file_unsynced(path("a"), "x") && sync_file_system(folder_)); };
  EXPECT_EQ(after_crash("a", both), "x");
  const auto remove = [&] { ASSERT_TRUE(remove_all(path("a"))); };
  EXPECT_EQ(after_crash("a", remove), "x");
  EXPECT_EQ(after_crash("a", remove, Unsynced::kNewNames), "x");
  const auto move = [&] { ASSERT_TRUE(move_path(path("a"), path("b"))); };
  EXPECT_EQ(after_crash("b", move), "(none)");
  EXPECT_EQ(after_crash("b", [&] { move(), static_cast<void>(sync_folder(folder_)); }), "x");
  EXPECT_EQ(after_crash(
                "b", [&] { ASSERT_TRUE(remove_all(path("b"))); }, Unsynced::kRemovals),
            "(none)");
  EXPECT_EQ(after_crash(
                "c", [&] { ASSERT_TRUE(write_file_unsynced(path("c"), "x")); }, Unsynced::kNewNames),
            "");
}

TEST_F(FileSystemTest, FoldersMadeDurablyOutlastALossOfPower) {
  const auto make = [&](bool durably) {
    ASSERT_TRUE(durably ? create_directories_durably(path("d/e")) : create_directories(path("d/e")));
    ASSERT_TRUE(write_file_atomically(path("d/e/a"), "whole"));
  };
  EXPECT_EQ(after_crash("d/e/a", [&] { make(false); }), "(none)");
  EXPECT_EQ(after_crash("d/e/a", [&] { make(true); }), "whole");
}

TEST_F(FileSystemTest, FromTheLossOnNothingIsDone) {
  ForgetfulFileSystem disk(folder_, 2);
  {
    const ReplacedFileSystem replaced(disk);
    EXPECT_TRUE(create_directories(path("a")));
    const Status second = create_directories(path("b"));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::kIo);
    EXPECT_FALSE(remove_all(path("a")));
  }
  EXPECT_TRUE(disk.lost_power());
  EXPECT_TRUE(std::filesystem::exists(path("a")));
  EXPECT_FALSE(std::filesystem::exists(path("b")));
}

TEST_F(FileSystemTest, RemovingTakesAllThatIsInAFolderAndNoLinksTarget) {
  ASSERT_TRUE(create_directories(path("d/e/f")) && create_directories(path("kept")));
  ASSERT_TRUE(write_file_unsynced(path("d/e/a"), "x") && write_file_unsynced(path("kept/a"), "x"));
  std::filesystem::create_symlink(path("kept"), path("d/link"));
  std::filesystem::create_symlink("nowhere", path("d/e/f/broken"));
  ASSERT_TRUE(remove_all(path("d")));
  EXPECT_FALSE(std::filesystem::exists(path("d")));
  EXPECT_TRUE(std::filesystem::exists(path("kept/a")));
  EXPECT_TRUE(remove_all(path("d"))) << "what is not there is no error";
  remove_empty_folder(path("kept"));
  EXPECT_TRUE(std::filesystem::exists(path("kept/a")));
}

TEST_F(FileSystemTest, TheFolderForWorkIsItsOwnersAlone) {
  const auto folder = TemporaryFolder::create(path("work-"));
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->path().size(), path("work-").size() + 6);
  EXPECT_EQ(std::filesystem::status(folder->path()).permissions(), std::filesystem::perms::owner_all);
  FailingFileSystem disk({.n = 1});
  const ReplacedFileSystem replaced(disk);
  EXPECT_FALSE(TemporaryFolder::create(path("work-")));
}

}  // namespace
}  // namespace neardup
