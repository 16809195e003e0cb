// What is found is the same in little memory: the family, candidates that are sought among those who meet another one
// alone, in parts, or from a list.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

using Random = std::mt19937_64;

// More than fit in the least memory with their buckets.
constexpr size_t kMany = 20000;

class LittleMemory : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Every `nth` text is a copy of one before it, under another header and with a word changed.
  std::vector<std::string> texts_with_copies(size_t nth, size_t words) {
    Random random(nth);
    std::vector<std::vector<std::string>> all;
    for (size_t i = 0; i < kMany; ++i) {
      all.push_back(i % nth == nth - 1 ? all[random() % i] : made_words(random, words));
      if (i % nth == nth - 1) all.back()[random() % words] = "changed" + std::to_string(i);
    }
    std::vector<std::string> texts;
    for (const auto& one : all) texts.push_back(join_words(one));
    return texts;
  }

  report::Report run(const std::vector<std::string>& texts, uint64_t memory_bytes) {
    write_jsonl(folder_ + "/in/a.jsonl", texts);
    DedupOptions options;
    options.inputs = {folder_ + "/in"};
    options.output = output_ = folder_ + "/out" + std::to_string(memory_bytes);
    options.overwrite = true;
    options.memory_bytes = memory_bytes;
    options.recipe = *recipe::find_recipe("default");
    const auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }

  void expect_the_same(const std::vector<std::string>& texts, size_t least_removed) {
    const report::Report expected = run(texts, DedupOptions{}.memory_bytes);
    const std::string removed = *read_file(output_ + "/duplicates.jsonl");
    const report::Report found = run(texts, kSmallestMemory);
    EXPECT_TRUE(*read_file(output_ + "/duplicates.jsonl") == removed);
    EXPECT_EQ(found.total.near, expected.total.near);
    EXPECT_GE(found.total.near, least_removed);
    expected_ = expected;
    found_ = found;
  }

  std::string folder_ = ::testing::TempDir() + "neardup_little_memory_" + std::to_string(getpid());
  std::string output_;
  report::Report expected_, found_;
};

TEST_F(LittleMemory, ThoseWhoMeetNoOtherAreLeftOutFirst) {
  expect_the_same(texts_with_copies(10, 30), kMany / 12);
  EXPECT_EQ(found_.num_settled, expected_.num_settled) << "those who meet others fit";
  EXPECT_EQ(found_.num_candidates, expected_.num_candidates);
  EXPECT_GT(found_.num_settled, kMany / 2);
}

TEST_F(LittleMemory, OfManyCopies) { expect_the_same(texts_with_copies(2, 30), kMany / 3); }

// Every other text is a copy, which is more than fit with their buckets; and of the pages of a frame the first ones
// alone are compared with all others.
TEST_F(LittleMemory, OfCrowdedBuckets) {
  Random random(5);
  const std::vector<std::string> frame = made_words(random, 40);
  std::vector<std::vector<std::string>> pages;
  for (size_t i = 0; i < 2 * kMany; ++i) {
    if (i % 2 == 1) {
      pages.push_back(pages[random() % i / 2 * 2]);
      pages.back().back() = "changed" + std::to_string(i);
      continue;
    }
    pages.push_back(i % 80 == 0 ? frame : made_words(random, 1));
    for (const std::string& word : made_words(random, 40)) pages.back().push_back(word);
  }
  std::vector<std::string> texts;
  for (const auto& page : pages) texts.push_back(join_words(page));
  expect_the_same(texts, kMany / 2);
  EXPECT_NE(found_.num_candidates, expected_.num_candidates) << "pairs are listed, also of those that go";
}

TEST_F(LittleMemory, OfShortTexts) { expect_the_same(texts_with_copies(10, 12), kMany / 1000); }

}  // namespace
}  // namespace neardup::engine
