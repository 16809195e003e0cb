// Memory is a limit for single records too: what is too long for it is rejected with its place and a cure.
#include <gtest/gtest.h>

#include "neardup/engine/record_limits.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

corpus::ReadOptions limits(const std::string& recipe, uint64_t memory_bytes, int num_threads = 2) {
  return within_memory({}, *recipe::find_recipe(recipe), memory_bytes, num_threads);
}

TEST(RecordLimits, OrdinaryMemoryIsEnoughForLargeDocuments) {
  for (const std::string& name : recipe::recipe_names()) {
    EXPECT_GE(limits(name, 4096 * kMiB).max_record_bytes, 40 * kMiB) << name;
    EXPECT_GE(limits(name, 64 * kMiB).max_record_bytes, kMiB / 4) << name;
  }
  EXPECT_EQ(limits("default", 4096 * kMiB).max_record_bytes, 64 * kMiB) << "the default of --max-record-bytes holds";
}

TEST(RecordLimits, DependOnMemoryAndNotOnThreads) {
  EXPECT_EQ(limits("default", 64 * kMiB, 1).max_record_bytes, limits("default", 64 * kMiB, 64).max_record_bytes);
  EXPECT_LT(limits("default", 64 * kMiB).max_record_bytes, limits("default", 128 * kMiB).max_record_bytes);
}

TEST(RecordLimits, TheMemoryThatTheCureNamesIsEnoughAndHardlyMore) {
  for (const std::string& name : recipe::recipe_names()) {
    const std::string cure = limits(name, 64 * kMiB).too_long_cure;
    const size_t digits = cure.find_first_of("0123456789");
    ASSERT_NE(digits, std::string::npos) << cure;
    const uint64_t megabytes = std::stoull(cure.substr(digits));
    EXPECT_EQ(limits(name, megabytes * kMiB).max_record_bytes, 64 * kMiB) << cure;
    EXPECT_LT(limits(name, (megabytes - 2) * kMiB).max_record_bytes, 64 * kMiB) << cure;
  }
}

class LongRecords : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::vector<std::string> texts = made_texts(3, 60);
    std::mt19937_64 random(5);
    // Two that are alike and fit, worked on one after the other, and one that does not.
    std::string longer = join_words(made_words(random, 80000));
    texts[20] = longer;
    texts[40] = longer + " again";
    while (longer.size() < limits("default", 64 * kMiB).max_record_bytes) longer += " " + longer;
    texts[30] = longer;
    write_jsonl(folder_ + "/in/a.jsonl", texts);
    ASSERT_TRUE(
        write_file_atomically(folder_ + "/in/b.jsonl.gz",
                              *corpus::compress(corpus::Compression::kGzip, *read_file(folder_ + "/in/a.jsonl"))));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  DedupOptions options(const std::string& output, int num_threads) const {
    DedupOptions options;
    options.inputs = {folder_ + "/in"};
    options.output = folder_ + "/" + output;
    options.recipe = *recipe::find_recipe("default");
    options.read.batch_bytes = 20000;  // each long record is much longer than a batch
    options.memory_bytes = 64 * kMiB;
    options.num_threads = num_threads;
    return options;
  }

  std::string folder_;
};

TEST_F(LongRecords, AreRejectedWithTheirPlaceAndACureAndStopNothing) {
  const auto report = dedup(options("out", 4), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->total.read, 120u);
  EXPECT_EQ(report->total.rejected, 2u);
  EXPECT_EQ(report->total.kept + report->total.exact + report->total.near, 118u);
  const auto rejected = read_jsonl(folder_ + "/out/rejected.jsonl");
  ASSERT_EQ(rejected.size(), 2u);
  for (const auto& json : rejected) {
    EXPECT_EQ(json["line"], 31);
    EXPECT_EQ(json["reason"], "too_long");
    EXPECT_NE(json["message"].get<std::string>().find("give --memory at least "), std::string::npos) << json;
  }
  DedupOptions one = options("one", 1);
  ASSERT_TRUE(dedup(one, {}));
  EXPECT_EQ(read_results(folder_ + "/one"), read_results(folder_ + "/out"));
}

TEST_F(LongRecords, PassWithTheMemoryTheyNeedAndNothingElseChanges) {
  DedupOptions more = options("more", 2);
  more.memory_bytes = 4096 * kMiB;
  const auto report = dedup(more, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->total.rejected, 0u);
}

TEST_F(LongRecords, StopAStrictRun) {
  DedupOptions strict = options("out", 2);
  strict.strict = true;
  const auto stopped = dedup(strict, {});
  ASSERT_FALSE(stopped);
  EXPECT_NE(stopped.error().message.find("a.jsonl':31: too_long"), std::string::npos) << stopped.error().message;
}

TEST_F(LongRecords, ARunIsNotResumedUnderAnotherLimit) {
  DedupOptions first = options("out", 2);
  first.shard_index = 0;
  first.shard_count = 2;
  ASSERT_TRUE(dedup(first, {}));
  first.shard_index = 1;
  first.memory_bytes = 4096 * kMiB;
  const auto mixed = dedup(first, {});
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().message.find("max-record-bytes"), std::string::npos) << mixed.error().message;
}

// A page of which one shard would read more than the other.
TEST_F(LongRecords, APageIsCutAtTheSamePlaceInAllShards) {
  DedupOptions first = options("out", 2);
  first.read.max_record_bytes = 700'000;
  first.memory_bytes = 64 * kMiB;
  first.shard_index = 0;
  first.shard_count = 2;
  ASSERT_TRUE(dedup(first, {}));
  first.shard_index = 1;
  first.memory_bytes = 256 * kMiB;
  const auto mixed = dedup(first, {});
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().message.find("another --memory"), std::string::npos) << mixed.error().message;
}

}  // namespace
}  // namespace neardup::engine
