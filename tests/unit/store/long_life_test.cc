// A store that has lived for years: numbers are high, nearly all of the old ones are erased. What it costs is what is
// in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "neardup/store/check_store.h"
#include "neardup/store/copy_store.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/erased_file.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::long_life_test {
namespace {

namespace fs = std::filesystem;

TEST(NumberSet, IsAsASetOfNumbers) {
  std::mt19937_64 random(1);
  NumberSet set;
  std::set<uint64_t> model;
  constexpr uint64_t kMost = 400'000;
  for (int i = 0; i < 60; ++i) {
    const uint64_t first = random() % kMost, end = std::min(kMost, first + random() % 150'000);
    if (i % 3 == 0) {
      set.add_range(first, end);
      for (uint64_t number = first; number < end; ++number) model.insert(number);
    }
    for (int j = 0; j < 2000; ++j) {
      const uint64_t number = random() % kMost;
      if (j % 2 == 0) set.add(number), model.insert(number);
      if (j % 2 == 1) set.remove(number), model.erase(number);
    }
  }
  ASSERT_EQ(set.size(), model.size());
  EXPECT_EQ(set.sorted(), std::vector<uint64_t>(model.begin(), model.end()));
  const NumberSet copy = set;
  set.remove(*model.begin());
  EXPECT_TRUE(copy.contains(*model.begin()));
  EXPECT_EQ(copy.without(set), std::vector<uint64_t>{*model.begin()});
  EXPECT_EQ(copy.count_common(set), set.size());
  EXPECT_EQ(copy.count(1000, 300'000),
            static_cast<uint64_t>(std::distance(model.lower_bound(1000), model.lower_bound(300'000))));
  for (uint64_t number = 0; number < kMost; number += 997) {
    uint64_t absent = number;
    while (model.contains(absent)) ++absent;
    ASSERT_EQ(copy.next_absent(number), absent);
  }
}

TEST(NumberSet, RangesOfErasedNumbersAreReadAsTheyWereWritten) {
  NumberSet set;
  set.add_range(5, 10'000'000'000);
  set.remove(77);
  set.add(10'000'000'007);
  EXPECT_LT(set.size_bytes(), uint64_t{8} << 20);
  const std::string path = own_path();
  const auto checksum = write_erased_ranges(path, set);
  ASSERT_TRUE(checksum);
  EXPECT_LT(fs::file_size(path), 100u);
  const auto read = read_erased_ranges(path, 10'000'000'008);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->checksum, *checksum);
  EXPECT_EQ(read->numbers.size(), set.size());
  EXPECT_FALSE(read->numbers.contains(77));
  EXPECT_TRUE(read->numbers.contains(9'999'999'999));
  EXPECT_FALSE(read_erased_ranges(path, 10'000'000'007));
  fs::remove(path);
}

class LongLifeTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& folder : {folder_, copy_}) fs::remove_all(folder);
    options_.map_keys = 64;
  }
  void TearDown() override {
    for (const std::string& folder : {folder_, copy_}) fs::remove_all(folder);
  }
  std::unique_ptr<EmbeddedStore> make(const std::string& folder) const {
    auto store = EmbeddedStore::create(folder, {.num_fingerprints = 1, .max_distance = 3}, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  static void restore(Store& store, uint64_t number, int text) {
    const OwnedRecord document = document_of("d" + std::to_string(text), text);
    Record view = document.view();
    view.number = number;
    const Status restored = store.restore({&view, 1});
    ASSERT_TRUE(restored) << restored.error().message;
  }
  static uint64_t bytes_of(const std::string& folder) {
    uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder)) bytes += entry.file_size();
    return bytes;
  }
  void expect_whole(const Store& store, int count, int step) const {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(*store.find("d" + std::to_string(i * step), [](const Record&) {})) << i;
      const auto near = store.query(document_of("x", i * step).view(), judge_, 9);
      ASSERT_TRUE(near);
      ASSERT_EQ(near->found.size(), 1u) << i;
    }
  }

  static constexpr uint64_t kFar = 1'500'000'000;
  FailingFileSystem unsynced_{{}};
  const ReplacedFileSystem replaced_{unsynced_};
  std::string folder_ = own_path(), copy_ = own_path("copy");
  StoreOptions options_;
  ByNumber judge_;
};

TEST_F(LongLifeTest, NumbersUpToTenBillion) {
  auto store = make(folder_);
  constexpr int kCount = 24;  // three at each of eight places
  for (int i = 0; i < kCount; ++i) {
    restore(*store, static_cast<uint64_t>(i / 3) * kFar + static_cast<uint64_t>(i), i * 20);
    const Status made = store->checkpoint();
    ASSERT_TRUE(made) << made.error().message;
  }
  expect_whole(*store, kCount, 20);
  const Status compacted = store->compact();
  ASSERT_TRUE(compacted) << compacted.error().message;
  for (int round = 0; round < 2; ++round) {
    expect_whole(*store, kCount, 20);
    EXPECT_EQ(store->statistics()->documents, static_cast<uint64_t>(kCount));
    EXPECT_LT(store->statistics()->memory_bytes, uint64_t{40} << 20);
    EXPECT_LT(bytes_of(folder_), uint64_t{4} << 20);
    store.reset();
    auto opened = EmbeddedStore::open(folder_, options_);
    ASSERT_TRUE(opened) << opened.error().message;
    store = std::move(*opened);
  }
  const OwnedRecord next = document_of("next", 9000);
  const Record view = next.view();
  const auto answers = store->check_and_insert({&view, 1}, judge_);
  ASSERT_TRUE(answers);
  EXPECT_GT(answers->front().number, 7 * kFar);
  const Status copied = copy_documents(*store, *make(copy_));
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_LT(bytes_of(copy_), uint64_t{4} << 20);
  store.reset();
  const auto checked = check_store(copy_, options_);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->faults, std::vector<std::string>());
  EXPECT_EQ(checked->documents, kCount + 1u);
}

// A process that ends before any checkpoint.
TEST_F(LongLifeTest, NumbersThatAreLeftOutAreReadAgain) {
  auto store = make(folder_);
  for (int i = 0; i < 9; ++i)
    restore(*store, static_cast<uint64_t>(i / 3) * 3 * kFar + static_cast<uint64_t>(i), i * 20);
  store.reset();
  const auto opened = EmbeddedStore::open(folder_, options_);
  ASSERT_TRUE(opened) << opened.error().message;
  expect_whole(**opened, 9, 20);
  EXPECT_EQ((*opened)->statistics()->next_number, 6 * kFar + 9);
  EXPECT_EQ((*opened)->statistics()->documents, 9u);
}

}  // namespace
}  // namespace neardup::store::long_life_test
