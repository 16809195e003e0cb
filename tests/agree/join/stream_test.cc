// A set in memory against one that is read in chunks.
#include "neardup/join/disk/stream.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "neardup/base/disk/file.h"
#include "neardup/fingerprint/file.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"
#include "tests/agree/join/linear_scan.h"
#include "tests/own_path.h"

namespace neardup::join {
namespace {

std::string temporary(const std::string& name) { return own_path(name); }

Pairs streamed(const Set& left, Source& right, const JoinOptions& options) {
  Collector collector;
  const Status status = cross_join(left, right, options, collector.sink());
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return collector.sorted();
}

void write_raw(const std::string& path, const Set& set) {
  ASSERT_TRUE(write_file_atomically(path, {reinterpret_cast<const char*>(set.data()), set.size() * 8}));
}

// Memory limits cut the stream into many chunks.
TEST(Stream, AgreesWithTheLinearScan) {
  Set left = random_set(3000, 5, 1), right = random_set(30'000, 5, 2);
  for (size_t i = 0; i < right.size(); i += 5) right[i] = left[i % left.size()] ^ (i & 0x21081);
  for (size_t i = 1; i < right.size(); i += 50) right[i] = left[7];
  const Pairs all = linear_cross_join(left, right, 8);
  for (const int k : {0, 1, 2, 3, 5, 8}) {
    for (const uint64_t memory : {uint64_t{0}, uint64_t{60} << 20, uint64_t{3} << 20}) {
      const auto source = make_array_source(right);
      JoinOptions options = options_for(k, 2);
      options.memory_bytes = memory;
      expect_same(within(all, k), streamed(left, *source, options), "k " + std::to_string(k));
    }
  }
}

TEST(Stream, UnevenSets) {
  const Set left = clustered_set(2000, 500, 6, 1);
  Set right = left;
  for (size_t i = 0; i < 20'000; ++i) right.push_back(left[i % 100] ^ (i & 0xff));
  const Pairs all = linear_cross_join(left, right, 3);
  const auto source = make_array_source(right);
  expect_same(all, streamed(left, *source, options_for(3, 2)), "");
}

TEST(Stream, ReadsRawFilesAndFingerprintFiles) {
  const Set left = random_set(500, 3, 3), right = random_set(9000, 3, 3);
  const std::string raw = temporary("raw"), file = temporary("file");
  write_raw(raw, right);
  auto writer = fingerprint::FileWriter::create(file, {"id", "{}", 2});
  ASSERT_TRUE(writer);
  for (size_t i = 0; i < right.size(); ++i) {
    const std::vector<uint64_t> both{~right[i], right[i]};
    ASSERT_TRUE(writer->add({"x", both, {}, 0, 0}));
    if (i % 3 == 0) {
      ASSERT_TRUE(writer->add({"no features", {}, {}, 0, 0}));
    }
  }
  ASSERT_TRUE(writer->commit());
  const Pairs expected = linear_cross_join(left, right, 3);
  const auto raw_source = open_raw_file(raw);
  const auto file_source = open_fingerprint_file(file, 1);
  ASSERT_TRUE(raw_source && file_source);
  EXPECT_EQ((*file_source)->size(), right.size());
  for (Source* source : {raw_source->get(), file_source->get()}) {
    expect_same(expected, streamed(left, *source, options_for(3, 2)), "");
    ASSERT_TRUE(source->rewind());
    expect_same(expected, streamed(left, *source, options_for(3, 1)), "again");
  }
  EXPECT_EQ(open_fingerprint_file(file, 2).error().code, Code::kInvalidArgument);
}

TEST(Stream, RefusesWhatIsNoFileOfNumbers) {
  const std::string path = temporary("odd");
  ASSERT_TRUE(write_file_atomically(path, "123456789"));
  EXPECT_EQ(open_raw_file(path).error().code, Code::kCorruption);
  EXPECT_EQ(open_raw_file(path + "-not-there").error().code, Code::kNotFound);
}

TEST(Stream, EndsWithTheErrorOfTheSinkOrTheSource) {
  const Set left = random_set(3000, 3, 1);
  const auto source = make_array_source(left);
  const auto refuse = [](std::span<const Pair>, int) -> Status { return fail(Code::kDiskFull, "no space"); };
  EXPECT_EQ(cross_join(left, *source, options_for(3, 2), refuse).error().code, Code::kDiskFull);
  EXPECT_EQ(cross_join(left, *source, options_for(17), refuse).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::join
