#include "neardup/bench/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/recipe/recipe.h"
#include "tests/own_path.h"

namespace neardup::bench {
namespace {

class StoreBenchTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    options_.work_folder = folder_;
    options_.batch = 10;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void expect_all_measured() const {
    std::vector<std::string> operations;
    const Status done = run_store_bench(options_, [&](const StoreMeasurement& m) {
      operations.push_back(m.operation);
      EXPECT_GT(m.count, options_.count / 2);
      EXPECT_GT(m.num_documents, 0u);
      EXPECT_GT(m.seconds, 0);
      EXPECT_LE(m.p50_us, m.worst_us);
      EXPECT_GT(m.disk_bytes_per_item, 30);
    });
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(operations, (std::vector<std::string>{"insert", "query", "check_and_insert", "merge", "reopen"}));
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }

  std::string folder_;
  StoreBench options_;
};

TEST_F(StoreBenchTest, MeasuresFingerprints) {
  options_.count = 3000;
  options_.num_documents = 500;
  expect_all_measured();
}

TEST_F(StoreBenchTest, MeasuresFingerprintsOf128Bits) {
  options_.count = 3000;
  options_.num_documents = 500;
  options_.num_bits = 128;
  expect_all_measured();
}

TEST_F(StoreBenchTest, MeasuresTexts) {
  options_.count = 300;
  options_.num_documents = 100;
  options_.recipe = recipe::default_recipe();
  expect_all_measured();
}

// A tenth of nine is nothing to erase: the callers have to measure something nevertheless.
TEST_F(StoreBenchTest, EachCallerCallsDuringTheMerge) {
  options_.count = 9;
  options_.num_documents = 10;
  options_.num_threads = 64;
  uint64_t in_merge = 0;
  const Status done = run_store_bench(options_, [&](const StoreMeasurement& m) {
    if (m.operation == "merge") in_merge = m.num_documents;
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GE(in_merge, 64 * options_.batch);
}

}  // namespace
}  // namespace neardup::bench
