#include "neardup/base/disk/shared_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/work_place.h"

namespace neardup {
namespace {

class SharedFiles : public testing::Test {
 protected:
  void SetUp() override { survive_cut_files(); }
  std::string written(size_t size) const {
    EXPECT_TRUE(write_file_atomically(path(), std::string(size, 'x')));
    return path();
  }
  std::string path() const { return folder_->path() + "/file"; }
  size_t page_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  Result<TemporaryFolder> folder_ = make_work_place();
};

TEST_F(SharedFiles, HasTheBytesOfTheFile) {
  const auto file = SharedFile::open(written(3 * page_ + 7), 2 * page_ + 5);
  ASSERT_NE(file, nullptr);
  file->fetch(page_ - 1, 2);
  EXPECT_EQ(file->bytes(), std::string(2 * page_ + 5, 'x'));
  EXPECT_FALSE(file->is_cut());
}

TEST_F(SharedFiles, NothingOfAFileThatIsShorterOrNotThere) {
  EXPECT_EQ(SharedFile::open(written(10), 11), nullptr);
  EXPECT_EQ(SharedFile::open(path() + "-other", 1), nullptr);
}

TEST_F(SharedFiles, ZerosBehindWhereAFileIsCut) {
  const auto file = SharedFile::open(written(5 * page_), 5 * page_);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->bytes()[4 * page_], 'x');
  std::filesystem::resize_file(path(), 2 * page_);
  file->fetch(0, 5 * page_);
  EXPECT_EQ(file->bytes()[page_], 'x');
  EXPECT_FALSE(file->is_cut());
  EXPECT_EQ(file->bytes()[3 * page_], '\0');
  EXPECT_TRUE(file->is_cut());
  EXPECT_EQ(file->bytes().substr(0, page_), std::string(page_, 'x'));
  EXPECT_EQ(file->bytes()[4 * page_], '\0');
}

TEST_F(SharedFiles, TheNextOneIsWhole) {
  for (int round = 0; round < 2; ++round) {
    const auto file = SharedFile::open(written(page_), page_);
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(file->is_cut());
    std::filesystem::resize_file(path(), 0);
    EXPECT_EQ(file->bytes()[1], '\0');
    EXPECT_TRUE(file->is_cut());
  }
}

TEST_F(SharedFiles, SoManyAtATime) {
  std::vector<std::unique_ptr<SharedFile>> files;
  for (size_t i = 0; i < SharedFile::kMost; ++i)
    ASSERT_NE(files.emplace_back(SharedFile::open(written(1), 1)), nullptr);
  EXPECT_EQ(SharedFile::open(path(), 1), nullptr);
  files.pop_back();
  EXPECT_NE(SharedFile::open(path(), 1), nullptr);
}

/// What others map is not ours to mend.
TEST_F(SharedFiles, OtherMemoryEndsTheProcess) {
  const int descriptor = ::open(written(page_).c_str(), O_RDWR | O_CLOEXEC);
  const auto* const other =
      static_cast<const volatile char*>(::mmap(nullptr, page_, PROT_READ, MAP_SHARED, descriptor, 0));
  std::filesystem::resize_file(path(), 0);
  EXPECT_DEATH(static_cast<void>(other[0]), "");
  ::munmap(const_cast<char*>(other), page_);
  ::close(descriptor);
}

TEST_F(SharedFiles, TheSignalOfAnotherProgramEndsTheProcess) {
  EXPECT_DEATH(static_cast<void>(::kill(::getpid(), SIGBUS)), "");
}

}  // namespace
}  // namespace neardup
