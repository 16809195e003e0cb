// How many stored texts one that comes is compared with does not grow with those that share a frame, and copies of one
// of them are found all the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include "neardup/engine/match/signatures.h"
#include "neardup/engine/online/deduplicator.h"
#include "neardup/engine/online/text_store.h"
#include "tests/promise/engine/frame_texts.h"

namespace neardup::engine {
namespace {

constexpr size_t kBands = 64;

class FramesInAStore : public ::testing::Test {
 protected:
  void SetUp() override { make(); }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  void make(const TextStoreSettings& settings = {}) {
    store_.reset();
    std::filesystem::remove_all(folder_);
    auto made = TextStore::create(folder_, settings);
    ASSERT_TRUE(made) << made.error().message;
    store_ = std::move(*made);
  }
  // Under ids that tell how many came before.
  std::vector<TextVerdict> add(const std::vector<std::string>& texts, size_t at_once = 100) {
    std::vector<TextVerdict> all;
    for (size_t begin = 0; begin < texts.size(); begin += at_once) {
      std::vector<std::string> ids;
      for (size_t i = begin; i < std::min(texts.size(), begin + at_once); ++i) ids.push_back(std::to_string(num_++));
      std::vector<ArrivingText> batch;
      for (size_t i = 0; i < ids.size(); ++i) batch.push_back({.id = ids[i], .text = texts[begin + i]});
      auto verdicts = store_->check_and_insert(batch);
      EXPECT_TRUE(verdicts) << verdicts.error().message;
      for (TextVerdict& verdict : *verdicts) all.push_back(std::move(verdict));
    }
    return all;
  }
  double num_compared() const {
    const Comparisons made = store_->comparisons();
    return static_cast<double>(made.unlike + made.refused + made.similar);
  }
  double compared_each(const std::vector<std::string>& texts) {
    const double before = num_compared();
    add(texts);
    return (num_compared() - before) / static_cast<double>(texts.size());
  }

  std::string folder_ = ::testing::TempDir() + "neardup_frames_in_a_store_" + std::to_string(getpid());
  std::unique_ptr<TextStore> store_;
  size_t num_ = 0;
};

TEST_F(FramesInAStore, FewTextsAreComparedWhateverTheyShare) {
  for (const auto& [name, text] : zoo_of_frames()) {
    make();
    const std::vector<std::string> texts = texts_of(1200, text);
    const std::vector<std::string> first(texts.begin(), texts.begin() + 300), last(texts.end() - 300, texts.end());
    const double few = compared_each(first);
    add({texts.begin() + 300, texts.end() - 300});
    const double many = compared_each(last);
    EXPECT_LE(many, kBands * kMostMembers) << name;
    EXPECT_LE(many, 1.6 * few + 160) << name << ": with all it would be six times as many";
  }
}

TEST_F(FramesInAStore, CopiesOfOneOfThemAreFound) {
  std::vector<std::string> texts = texts_of(1500, [](size_t, Random& random) { return filled_in(1, 45, random); });
  const std::vector<size_t> copied = {100, 400, 1100, 1499};  // the first ones are near each other
  for (const size_t i : copied) texts.push_back("also " + texts[i] + " once more");
  const std::vector<TextVerdict> verdicts = add(texts);
  auto in_memory = Deduplicator::create({.recipe = *recipe::find_recipe("default")});
  ASSERT_TRUE(in_memory);
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto arrival = in_memory->add(std::to_string(i), texts[i]);
    ASSERT_TRUE(arrival);
    EXPECT_EQ(arrival->duplicate_of, verdicts[i].duplicate_of) << i;
  }
  for (size_t i = 0; i < copied.size(); ++i)
    EXPECT_EQ(verdicts[1500 + i].duplicate_of, std::to_string(copied[i])) << copied[i];
}

TEST_F(FramesInAStore, TheSameForAnyBatchesAndAfterARestart) {
  std::vector<std::string> texts = texts_of(600, [](size_t i, Random& random) { return filled_in(i % 7, 24, random); });
  for (size_t i = 0; i < 100; ++i) texts.push_back("also " + texts[5 * i]);
  const std::vector<TextVerdict> expected = add(texts, texts.size());
  for (const size_t at_once : {1, 17}) {
    num_ = 0;
    make();
    const std::vector<TextVerdict> first = add({texts.begin(), texts.begin() + 300}, at_once);
    store_.reset();
    auto opened = TextStore::open(folder_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    std::vector<TextVerdict> all = add({texts.begin() + 300, texts.end()}, at_once);
    all.insert(all.begin(), first.begin(), first.end());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(all[i].duplicate_of, expected[i].duplicate_of) << i;
  }
}

}  // namespace
}  // namespace neardup::engine
