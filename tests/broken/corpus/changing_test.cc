// Files that shrink, vanish, may not be read, or hold one endless line.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cpu_seconds.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

TEST(Changing, ShrunkFilesGiveTheirWholeLinesAndOneRejection) {
  std::string lines;
  for (int i = 0; i < 8; ++i) lines += "document " + std::to_string(i * i * i) + (i % 3 == 0 ? "\n\n" : "\n");
  for (const uint64_t batch_bytes : {1, 2, 3, 7, 20, 1000}) {
    for (size_t size = 0; size < lines.size(); ++size) {
      const TempFolder folder;
      const std::string path = folder.write("a.txt", lines);
      const auto inputs = discover_all({path}, {.format = Format::kLines});
      ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(size)), 0);
      const auto items = read_inputs(inputs, {.batch_bytes = batch_bytes});
      const size_t whole = lines.rfind('\n', size == 0 ? std::string::npos : size - 1);
      const std::string good = size == 0 ? "" : lines.substr(0, whole == std::string::npos ? 0 : whole + 1);
      auto expected = read_bytes("a.txt", good, {}, {.format = Format::kLines});
      Item truncated{"a.txt", static_cast<uint64_t>(std::count(good.begin(), good.end(), '\n')), "truncated"};
      truncated.record = lines.substr(good.size(), size - good.size());
      expected.push_back(truncated);
      expect_same(items, expected, "size " + std::to_string(size) + " batch_bytes " + std::to_string(batch_bytes));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Changing, AFileThatCannotBeOpenedAnyMoreIsToldOfToItsEnd) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "document " + std::to_string(i) + "\n";
  const TempFolder folder;
  const std::string path = folder.write("a.txt", lines);
  auto reader = Reader::open(discover_all({path}, {.format = Format::kLines}), {.batch_bytes = 50});
  ASSERT_TRUE(reader);
  uint64_t read = 0, unread = 0;
  Batch batch;
  for (int number = 0; *reader->next(batch); ++number) {
    ASSERT_TRUE(reader->load(batch));
    for (const Document& document : batch.documents) read += document.record.size() + 1;
    for (const Rejection& rejection : batch.rejections) {
      EXPECT_EQ(rejection.reason, "unreadable");
      unread += rejection.unread->text_bytes;
    }
    if (number != 2) continue;
    std::filesystem::remove(path);
    std::filesystem::create_symlink("a.txt", path);  // to itself: nobody can open it
  }
  EXPECT_GT(read, 100U);
  EXPECT_GT(unread, 100U);
  EXPECT_GE(read + unread, lines.size());
}

TEST(Changing, WhatIsAppendedLaterIsNotRead) {
  const TempFolder folder;
  const std::string path = folder.write("a.txt", "one\ntwo\n");
  const auto inputs = discover_all({path}, {.format = Format::kLines});
  folder.write("a.txt", "one\ntwo\nthree\n");
  EXPECT_EQ(read_inputs(inputs).size(), 2U);
}

TEST(Changing, ShrunkTextFilesAreRejected) {
  const TempFolder folder;
  const std::string path = folder.write("a.txt", "some text");
  const auto inputs = discover_all({path});
  ASSERT_EQ(::truncate(path.c_str(), 4), 0);
  const auto items = read_inputs(inputs);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].reason, "truncated");
}

TEST(Changing, VanishedFilesStopTheRunAndNameTheCure) {
  const std::string object = "{\"text\":\"a\"}\n";
  for (const char* name : {"a.jsonl", "a.jsonl.gz", "a.txt", "a.txt.gz"}) {
    const TempFolder folder;
    const bool is_gzip = std::string_view(name).ends_with(".gz");
    const std::string path = folder.write(name, is_gzip ? *compress(Compression::kGzip, object) : object);
    auto reader = Reader::open(discover_all({path}), {});
    std::filesystem::remove(path);
    Batch batch;
    const auto next = reader->next(batch);
    const Error error = !next ? next.error() : reader->load(batch).error();
    EXPECT_EQ(error.code, Code::kNotFound) << name;
    EXPECT_NE(error.message.find("put it back"), std::string::npos);
    EXPECT_NE(error.message.find(path), std::string::npos);
  }
}

/// A folder in place of a file: it opens, but refuses to be read, for root too.
TEST(Changing, RefusedReadsAreRejections) {
  const TempFolder folder;
  for (const Format format : {Format::kJsonl, Format::kText}) {
    for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
      Input refused;
      refused.path = folder.path();
      refused.name = "refused";
      refused.format = format;
      refused.compression = compression;
      refused.size_bytes = 100;
      Input good = discover_all({folder.write("good.jsonl", "{\"text\":\"a\"}")}).at(0);
      const auto items = read_inputs({refused, good});
      ASSERT_EQ(items.size(), 2U);
      EXPECT_EQ(items[0].reason, "unreadable");
      EXPECT_EQ(items[1].text, "a");
    }
  }
}

TEST(Changing, FilesWithoutPermission) {
  const TempFolder folder;
  folder.write("in/a.txt", "readable");
  const std::string path = folder.write("in/b.txt", "not readable");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
  const auto items = read_inputs(discover_all({folder.path("in")}));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].reason, "unreadable");
  EXPECT_EQ(discover(std::vector{path}, {}).error().code, Code::kIo);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasuresMemory = false;
#else
constexpr bool kMeasuresMemory = true;
#endif

double peak_megabytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void expect_one_long_line(const std::vector<Item>& items, uint64_t num_lines_before) {
  ASSERT_EQ(items.size(), num_lines_before + 2);
  EXPECT_EQ(items[num_lines_before].reason, "too_long");
  EXPECT_EQ(items[num_lines_before].line, num_lines_before);
  EXPECT_EQ(items[num_lines_before].record.size(), 200U);
  EXPECT_EQ(items.back().text, "after");
  EXPECT_EQ(items.back().line, num_lines_before + 1);
  if (kMeasuresMemory) {
    EXPECT_LT(peak_megabytes(), 200);
  }
}

TEST(EndlessLine, PlainOneGigabyte) {
  const TempFolder folder;
  const std::string path = folder.write("a.jsonl", "{\"text\":\"before\"}\n");
  ASSERT_EQ(::truncate(path.c_str(), off_t{1} << 30), 0);
  std::ofstream(path, std::ios::app) << "\n{\"text\":\"after\"}\n";
  const double begin = cpu_seconds();
  expect_one_long_line(read_inputs(discover_all({path})), 1);
  EXPECT_LT(cpu_seconds() - begin, 30) << "reads it more than once";
}

TEST(EndlessLine, CompressedQuarterOfAGigabyte) {
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const TempFolder folder;
    std::string file = *compress(compression, "{\"text\":\"before\"}\n");
    const std::string piece = *compress(compression, std::string(size_t{16} << 20, 'x'));
    for (int i = 0; i < 16; ++i) file += piece;
    file += *compress(compression, "\n{\"text\":\"after\"}\n");
    const std::string name = compression == Compression::kGzip ? "a.jsonl.gz" : "a.jsonl.zst";
    expect_one_long_line(read_inputs(discover_all({folder.write(name, file)})), 1);
  }
}

}  // namespace
}  // namespace neardup::corpus
