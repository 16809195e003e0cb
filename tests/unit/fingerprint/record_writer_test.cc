#include "neardup/fingerprint/record_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "tests/own_path.h"

namespace neardup::fingerprint {
namespace {

const FileHeader kWrittenHeader{"0123456789ab", "{}", 1, 0};
constexpr Fingerprint kValue = 0x1f;

class RecordWriterTest : public ::testing::TestWithParam<FileForm> {
 protected:
  void TearDown() override { std::filesystem::remove_all(path_); }
  const std::string path_ = own_path();
};

void add_two(RecordWriter& writer) {
  ASSERT_TRUE(writer.add({"a", {&kValue, 1}, {1, 2}, 10, 3}));
  ASSERT_TRUE(writer.flush());
  ASSERT_TRUE(writer.add({"b", {}, {3, 4}, 0, 0}));
  ASSERT_TRUE(writer.commit());
}

TEST_P(RecordWriterTest, AStreamGetsTheBytesOfTheFile) {
  auto to_file = open_record_writer(GetParam(), path_, kWrittenHeader, {});
  ASSERT_TRUE(to_file) << to_file.error().message;
  add_two(**to_file);
  std::string streamed;
  auto to_stream = open_record_writer(GetParam(), "", kWrittenHeader, [&](std::string_view bytes) -> Status {
    streamed += bytes;
    return {};
  });
  ASSERT_TRUE(to_stream) << to_stream.error().message;
  add_two(**to_stream);
  EXPECT_FALSE(streamed.empty());
  EXPECT_EQ(streamed, read_file(path_).value());
}

TEST_P(RecordWriterTest, AStreamThatFailsEndsTheWriting) {
  auto writer = open_record_writer(GetParam(), "", kWrittenHeader,
                                   [](std::string_view) -> Status { return fail(Code::kDiskFull, "full"); });
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE((*writer)->add({"a", {&kValue, 1}, {1, 2}, 10, 3}));
  const Status committed = (*writer)->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, Code::kDiskFull);
}

TEST_P(RecordWriterTest, NothingAppearsBeforeTheCommit) {
  auto writer = open_record_writer(GetParam(), path_, kWrittenHeader, {});
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE((*writer)->add({"a", {&kValue, 1}, {1, 2}, 10, 3}));
  ASSERT_TRUE((*writer)->flush());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

INSTANTIATE_TEST_SUITE_P(Forms, RecordWriterTest, ::testing::Values(FileForm::kTsv, FileForm::kJsonl, FileForm::kBin));

}  // namespace
}  // namespace neardup::fingerprint
