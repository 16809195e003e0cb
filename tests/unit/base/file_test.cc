#include "neardup/base/disk/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/mapped_file.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    ASSERT_TRUE(create_directories(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  std::string folder_;
};

TEST_F(FileTest, AnAtomicFileAppearsWholeOrNotAtAll) {
  {
    auto file = AtomicFile::create(path("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
    EXPECT_FALSE(std::filesystem::exists(path("a")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "an uncommitted file leaves nothing";
  const std::string big(3'000'000, 'x');
  auto file = AtomicFile::create(path("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("head"));
  ASSERT_TRUE(file->write(big));
  ASSERT_TRUE(file->write("tail"));
  EXPECT_EQ(file->size_bytes(), big.size() + 8);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*read_file(path("a")), "head" + big + "tail");
}

TEST_F(FileTest, FaultsNameTheFileThatWasAskedFor) {
  for (const std::string& asked : {path("none/a"), folder_}) {
    const auto file = AtomicFile::create(asked);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("'" + asked + "'"), std::string::npos) << file.error().message;
  }
}

TEST_F(FileTest, AnAtomicFileTouchesNoNeighbour) {
  ASSERT_TRUE(write_file_atomically(path("a.tmp"), "the user's own"));
  ASSERT_TRUE(write_file_atomically(path("a"), "a"));
  EXPECT_EQ(*read_file(path("a.tmp")), "the user's own");
  EXPECT_EQ(*read_file(path("a")), "a");
}

TEST_F(FileTest, TwoAtomicFilesOfOnePathDoNotMeet) {
  auto first = AtomicFile::create(path("a"));
  auto second = AtomicFile::create(path("a"));
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->write("first"));
  ASSERT_TRUE(second->write("second, longer"));
  ASSERT_TRUE(second->commit());
  EXPECT_EQ(*read_file(path("a")), "second, longer");
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(*read_file(path("a")), "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FileTest, AnAtomicFileFollowsLinks) {
  ASSERT_TRUE(write_file_atomically(path("a"), "old"));
  std::filesystem::create_symlink("a", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(*read_file(path("a")), "new");
}

TEST_F(FileTest, AnAtomicFileReplacesNoPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream pipe(path("pipe"));
    got.assign(std::istreambuf_iterator<char>(pipe), {});
  });
  EXPECT_TRUE(write_file_atomically(path("pipe"), "bytes"));
  reader.join();
  EXPECT_EQ(got, "bytes");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(FileTest, AnAtomicFileIsNoFolder) {
  std::filesystem::create_directory(path("folder"));
  EXPECT_FALSE(AtomicFile::create(path("folder")));
}

TEST_F(FileTest, AnAtomicFileHasThePermissionsOfAnyNewFile) {
  const mode_t before = ::umask(027);
  const Status written = write_file_atomically(path("a"), "a");
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(path("a")).permissions()), 0640u);
}

TEST_F(FileTest, AnAppendFileGoesOnAtAKnownLength) {
  {
    auto file = AppendFile::open(path("log"), 0);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("0123456789"));
    ASSERT_TRUE(file->sync());
  }
  {
    auto file = AppendFile::open(path("log"), 4);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("abc"));
    EXPECT_EQ(file->size_bytes(), 7u);
    ASSERT_TRUE(file->flush());
  }
  EXPECT_EQ(*read_file(path("log")), "0123abc");
  const auto cut = AppendFile::open(path("log"), 100);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, Code::kCorruption);
}

// The program's own handlers do not restart calls, and a write to a full pipe ends with EINTR where it wrote nothing.
TEST_F(FileTest, ASignalCutsNoWrite) {
  struct sigaction quiet {};
  struct sigaction before {};
  quiet.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &quiet, &before), 0);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::string bytes;
  while (bytes.size() < 1 << 20) bytes += std::to_string(bytes.size()) + " ";
  std::atomic<bool> done = false;
  Status written;
  std::thread writer([&] {
    written = write_all(ends[1], bytes, "a pipe");
    done = true;
    ::close(ends[1]);
  });
  std::string found;
  std::vector<char> buffer(3001);
  for (ssize_t got = 1; got > 0;) {
    for (int i = 0; i < 3 && !done; ++i) ::pthread_kill(writer.native_handle(), SIGUSR1);
    got = ::read(ends[0], buffer.data(), buffer.size());
    if (got > 0) found.append(buffer.data(), static_cast<size_t>(got));
  }
  writer.join();
  ::close(ends[0]);
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(written);
  EXPECT_TRUE(found == bytes);
}

TEST_F(FileTest, ReadsAtAnyOffset) {
  ASSERT_TRUE(write_file_atomically(path("r"), "hello world"));
  auto file = ReadFile::open(path("r"));
  ASSERT_TRUE(file);
  std::string buffer(5, '\0');
  EXPECT_EQ(*file->read_at(6, buffer), 5u);
  EXPECT_EQ(buffer, "world");
  EXPECT_EQ(*file->read_at(9, buffer), 2u);
  EXPECT_EQ(*file->read_at(50, buffer), 0u);
  const Status status = file->read_exact_at(9, buffer);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kCorruption);
}

TEST_F(FileTest, MissingAndTooLargeFilesAreNamed) {
  const auto missing = ReadFile::open(path("none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_NE(missing.error().message.find(path("none")), std::string::npos);
  ASSERT_TRUE(write_file_atomically(path("big"), "0123456789"));
  const auto big = read_file(path("big"), 5);
  ASSERT_FALSE(big);
  EXPECT_EQ(big.error().code, Code::kMemory);
}

TEST_F(FileTest, AFullDiskIsAClearError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  auto file = AppendFile::open("/dev/full", 0);
  Status status = file ? file->append(std::string(1 << 20, 'x')) : Status(tl::unexpected<Error>(file.error()));
  if (status) status = file->flush();
  ASSERT_FALSE(status);
}

TEST_F(FileTest, MapsFilesAndEmptyFiles) {
  ASSERT_TRUE(write_file_atomically(path("m"), std::string_view("\1\0\0\0\2\0\0\0\3", 9)));
  auto file = MappedFile::open(path("m"));
  ASSERT_TRUE(file);
  ASSERT_EQ(file->as<uint32_t>().size(), 2u);
  EXPECT_EQ(file->as<uint32_t>()[1], 2u);
  ASSERT_TRUE(write_file_atomically(path("e"), ""));
  EXPECT_TRUE(MappedFile::open(path("e"))->bytes().empty());
}

}  // namespace
}  // namespace neardup
