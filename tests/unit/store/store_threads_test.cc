// Many callers of a store at once: whatever the order in which they come, the answers are those of one after the other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "neardup/store/embedded_store.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

constexpr int kCallers = 4;

// A document that came, and what it was told.
struct Told {
  OwnedRecord document;
  Answer answer;
};

class StoreThreadsTest : public testing::Test {
 protected:
  void SetUp() override { make({.num_fingerprints = 1}); }
  void make(const StoreSettings& settings) {
    store_.reset();
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    StoreOptions options;
    options.map_keys = 64;
    options.log_bytes = 4096;  // checkpoints meanwhile
    auto made = EmbeddedStore::create(folder_, settings, options);
    ASSERT_TRUE(made);
    store_ = std::move(*made);
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  // Each caller sends what `next` gives in batches of up to five; returns all that was told.
  std::vector<Told> send(int num_batches, const std::function<OwnedRecord(int caller, std::mt19937_64&)>& next) {
    return send(num_batches, judge_, next);
  }
  std::vector<Told> send(int num_batches, const Judge& judge,
                         const std::function<OwnedRecord(int caller, std::mt19937_64&)>& next) {
    std::vector<Told> told;
    std::mutex mutex;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        std::mt19937_64 random(static_cast<uint64_t>(caller));
        for (int i = 0; i < num_batches; ++i) {
          std::vector<OwnedRecord> batch;
          for (uint64_t j = 0; j <= random() % 5; ++j) batch.push_back(next(caller, random));
          const auto answers = store_->check_and_insert(views_of(batch), judge);
          ASSERT_TRUE(answers) << answers.error().message;
          const std::lock_guard lock(mutex);
          for (size_t j = 0; j < batch.size(); ++j) told.push_back({batch[j], answers->at(j)});
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    return told;
  }

  // Numbers are given in the order in which documents were decided: the slowest store, asked in that order, says the
  // same.
  static void expect_one_after_the_other(std::vector<Told> told) {
    std::erase_if(told, [](const Told& one) { return one.answer.is_repeated; });
    std::sort(told.begin(), told.end(), [](const Told& a, const Told& b) { return a.answer.number < b.answer.number; });
    StoreModel model(3);
    for (const auto& [document, answer] : told) {
      const Answer expected = model.check_and_insert(document);
      ASSERT_EQ(expected.number, answer.number);
      ASSERT_EQ(expected.fate, answer.fate) << answer.number;
      ASSERT_EQ(expected.kept_id, answer.kept_id) << answer.number;
    }
  }

  std::string folder_;
  std::unique_ptr<EmbeddedStore> store_;
  ByNumber judge_;
};

// Does something the first time it is asked: between looking up and showing.
class Between : public Judge {
 public:
  explicit Between(std::function<void()> what) : what_(std::move(what)) {}
  [[nodiscard]] Result<std::optional<Likeness>> compare(const Record& arriving, const Record& stored) const override {
    if (what_) std::exchange(what_, {})();
    return ByNumber::likeness(arriving.body, stored.body);
  }

 private:
  mutable std::function<void()> what_;
};

TEST_F(StoreThreadsTest, WhatIsErasedBetweenIsNotBuiltUpon) {
  const std::vector<OwnedRecord> before = {document_of("a", 20), document_of("k", 60), document_of("n", 100)};
  ASSERT_TRUE(store_->check_and_insert(views_of(before), judge_));
  const Between judge([this] {
    const std::string_view ids[] = {"k", "n"};
    ASSERT_TRUE(store_->erase(ids));
  });
  const std::vector<OwnedRecord> batch = {document_of("k", 60), document_of("m", 100), document_of("b", 21)};
  const auto answers = store_->check_and_insert(views_of(batch), judge);
  ASSERT_TRUE(answers);
  EXPECT_FALSE(answers->at(0).is_repeated);
  EXPECT_EQ(answers->at(1).fate.kind, Kind::kNew);
  EXPECT_EQ(answers->at(2).kept_id, "a");
  EXPECT_EQ(store_->statistics()->documents, 4u);
}

// Ids come again with other texts, too.
OwnedRecord any_document(std::mt19937_64& random) {
  OwnedRecord document = document_of("d" + std::to_string(random() % 300), static_cast<int>(random() % 400));
  if (random() % 4 == 0) document.keys.clear();
  if (random() % 4 == 0) document.fingerprints.clear();
  if (random() % 8 == 0) document.within = "b";
  return document;
}

TEST_F(StoreThreadsTest, AnswersAreThoseOfOneAfterTheOther) {
  expect_one_after_the_other(send(120, [](int, std::mt19937_64& random) { return any_document(random); }));
}

TEST_F(StoreThreadsTest, AndSoAreThoseAboutWhoIsContained) {
  make({.num_fingerprints = 1, .has_passages = true});
  const auto told = send(120, [](int, std::mt19937_64& random) {
    OwnedRecord document = with_passages(any_document(random));
    if (random() % 2 == 0) document.keys.clear(), document.fingerprints.clear();
    return document;
  });
  const auto is_contained = [](const Told& one) { return one.answer.fate.kind == Kind::kContained; };
  EXPECT_GT(std::ranges::count_if(told, is_contained), 20);
  expect_one_after_the_other(told);
}

// What is learnt around a document is what was there when it was decided.
TEST_F(StoreThreadsTest, AndSoAreThoseThatRestOnWhatIsLearnt) {
  const Learning judge;
  std::vector<Told> told = send(60, judge, [](int, std::mt19937_64& random) { return any_document(random); });
  std::erase_if(told, [](const Told& one) { return one.answer.is_repeated; });
  std::ranges::sort(told, {}, [](const Told& one) { return one.answer.number; });
  make({.num_fingerprints = 1});
  size_t num_near = 0;
  for (const auto& [document, answer] : told) {
    const Record view = document.view();
    const auto expected = store_->check_and_insert({&view, 1}, judge);
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_EQ(expected->at(0).fate, answer.fate) << answer.number;
    num_near += answer.fate.kind == Kind::kNear ? 1 : 0;
  }
  EXPECT_GT(num_near, 20U);
}

TEST_F(StoreThreadsTest, OfNearOnesExactlyOneIsNew) {
  constexpr int kFamilies = 60;
  for (const bool by_keys : {true, false}) {
    std::atomic<int> next = 0;
    std::vector<int> num_new(kFamilies, 0);
    const auto told = send(100, [&](int caller, std::mt19937_64& random) {
      const int family = next++ / 8 % kFamilies;  // many at a time
      OwnedRecord document = document_of(fmt::format("{}-{}-{}", by_keys, caller, next++),
                                         family * 28 + static_cast<int>(random() % 2) + (by_keys ? 0 : 1400));
      if (by_keys) document.fingerprints.clear(), document.keys = {mix64(static_cast<uint64_t>(family))};
      if (!by_keys) document.keys.clear(), document.within = "b";
      return document;
    });
    for (const auto& [document, answer] : told)
      if (answer.fate.kind == Kind::kNew)
        ++num_new[static_cast<size_t>((std::stoi(document.body) - (by_keys ? 0 : 1400)) / 28)];
    EXPECT_EQ(num_new, std::vector<int>(kFamilies, 1)) << by_keys;
  }
}

TEST_F(StoreThreadsTest, OfOneSentByAllExactlyOneIsNotRepeated) {
  std::atomic<int> next = 0;
  const auto told = send(100, [&](int, std::mt19937_64&) {
    const int number = next++ / 8;
    return document_of("d" + std::to_string(number), number * 28);
  });
  std::vector<int> first(told.size(), 0);
  for (const auto& [document, answer] : told) {
    EXPECT_EQ(answer.fate.kind, Kind::kNew);
    if (!answer.is_repeated) ++first[std::stoul(document.id.substr(1))];
  }
  EXPECT_EQ(std::count(first.begin(), first.end(), 1) + std::count(first.begin(), first.end(), 0), std::ssize(first));
}

}  // namespace
}  // namespace neardup::store
