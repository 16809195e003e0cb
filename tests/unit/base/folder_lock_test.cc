// Locks of folders, also while their files are removed.
#include "neardup/base/disk/folder_lock.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/own_path.h"

namespace neardup {
namespace {

std::string fresh(const std::string& name) {
  const std::string path = own_path(name);
  std::filesystem::remove(path);
  return path;
}

TEST(FolderLock, IsHeldByOne) {
  const std::string path = fresh("one");
  {
    const auto first = FolderLock::acquire(path, false);
    ASSERT_TRUE(first);
    const auto second = FolderLock::acquire(path, false);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::kIo);
    EXPECT_NE(second.error().message.find(path), std::string::npos);
    EXPECT_FALSE(FolderLock::acquire(path, true));
  }
  EXPECT_TRUE(FolderLock::acquire(path, false));
}

TEST(FolderLock, IsSharedByThoseWhoAskForIt) {
  const std::string path = fresh("shared");
  const auto first = FolderLock::acquire(path, true), second = FolderLock::acquire(path, true);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(FolderLock::acquire(path, false));
}

TEST(FolderLock, NeedsTheFolder) {
  EXPECT_EQ(FolderLock::acquire(fresh("none") + "/lock", false).error().code, Code::kNotFound);
}

// Who waited must not hold a file that is gone: a third one would lock a new one beside it.
TEST(FolderLock, OfARemovedFileIsWorthNothing) {
  const std::string path = fresh("removed");
  auto first = FolderLock::acquire(path, false);
  ASSERT_TRUE(first);
  std::thread waiting([&] {
    const auto second = FolderLock::acquire(path, false, true);
    ASSERT_TRUE(second);
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_FALSE(FolderLock::acquire(path, false));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::filesystem::remove(path);
  first = fail(Code::kIo, "let go");
  waiting.join();
}

}  // namespace
}  // namespace neardup
