// Documents one after the other: what a Deduplicator promises beside the verdicts of dedup (promise/api holds these).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "neardup/engine/online/deduplicator.h"

namespace neardup::engine {
namespace {

using ArrivalKind = Arrival::Kind;

std::string story(int number, int words = 80, int changed = -1) {
  std::string text;
  for (int i = 0; i < words; ++i) text += i == changed ? "otherwise " : fmt::format("s{}w{} ", number, i);
  return text;
}

Deduplicator deduplicator_of(const DedupOptions& options = {}) {
  auto created = Deduplicator::create(options);
  EXPECT_TRUE(created) << created.error().message;
  return std::move(*created);
}

TEST(Arrivals, NewThenExactThenNear) {
  Deduplicator deduplicator = deduplicator_of();
  EXPECT_EQ(deduplicator.add("a", story(1))->kind, ArrivalKind::kNew);
  const auto exact = deduplicator.add("b", "  " + story(1));
  EXPECT_EQ(exact->kind, ArrivalKind::kExact);
  EXPECT_EQ(exact->duplicate_of, "a");
  EXPECT_EQ(exact->similarity, 1);
  const auto near = deduplicator.add("c", story(1, 80, 40));
  EXPECT_EQ(near->kind, ArrivalKind::kNear);
  EXPECT_EQ(near->duplicate_of, "a");
  EXPECT_LT(near->similarity, 1);
  EXPECT_GT(near->distance, 0U);
  EXPECT_EQ(deduplicator.add("d", story(2))->kind, ArrivalKind::kNew);
}

TEST(Arrivals, TheSameAgainGetsItsFirstFate) {
  Deduplicator deduplicator = deduplicator_of();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(deduplicator.add("a", story(1))->kind, ArrivalKind::kNew) << round;
    EXPECT_EQ(deduplicator.add("b", story(1, 80, 9))->kind, ArrivalKind::kNear) << round;
    EXPECT_EQ(deduplicator.figures().new_texts, 1U) << round;
  }
}

TEST(Arrivals, TheSameIdWithAnotherTextIsAnotherDocument) {
  Deduplicator deduplicator = deduplicator_of();
  EXPECT_EQ(deduplicator.add("a", story(1))->kind, ArrivalKind::kNew);
  EXPECT_EQ(deduplicator.add("a", story(2))->kind, ArrivalKind::kNew);
  EXPECT_EQ(deduplicator.figures().new_texts, 2U);
}

TEST(Arrivals, WhatWasRemovedAttractsNoOthers) {
  Deduplicator deduplicator = deduplicator_of();
  // Each next one is like the one before it, and less and less like the first.
  const auto chained = [](int step) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += fmt::format("w{} ", i < 12 * step ? 1000 * step + i : i);
    return text;
  };
  std::string first_new_after;
  for (int step = 0; step < 8; ++step) {
    const auto arrival = deduplicator.add(std::to_string(step), chained(step));
    ASSERT_TRUE(arrival);
    const std::string stays = first_new_after.empty() ? "0" : first_new_after;
    EXPECT_TRUE(arrival->kind != ArrivalKind::kNear || arrival->duplicate_of == stays) << step;
    if (arrival->kind == ArrivalKind::kNew && step > 0) first_new_after = std::to_string(step);
  }
}

TEST(Arrivals, EmptyTextsAreOnlyEqualToEachOther) {
  Deduplicator deduplicator = deduplicator_of();
  EXPECT_EQ(deduplicator.add("a", "")->kind, ArrivalKind::kNew);
  EXPECT_EQ(deduplicator.add("b", "  \n")->kind, ArrivalKind::kExact);
  EXPECT_EQ(deduplicator.add("c", "...")->kind, ArrivalKind::kNew);
  EXPECT_EQ(deduplicator.add("d", "!?")->kind, ArrivalKind::kNew);
}

TEST(Arrivals, BothFamiliesFindCopies) {
  for (const FamilyChoice family : {FamilyChoice::kMinHash, FamilyChoice::kSimHash}) {
    DedupOptions options;
    options.family = family;
    options.recipe = *recipe::find_recipe("default");
    for (recipe::FingerprintSpec& spec : options.recipe.fingerprints) spec.weight = recipe::Weight::kBinary;
    options.recipe.idf = "none";
    Deduplicator deduplicator = deduplicator_of(options);
    std::mt19937_64 random(1);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(deduplicator.add(std::to_string(i), story(i, 200))->kind, ArrivalKind::kNew);
    for (int i = 0; i < 40; ++i) {
      const auto arrival = deduplicator.add(fmt::format("copy {}", i), story(i, 200, static_cast<int>(random() % 200)));
      EXPECT_EQ(arrival->kind, ArrivalKind::kNear);
      EXPECT_EQ(arrival->duplicate_of, std::to_string(i));
    }
    EXPECT_EQ(deduplicator.recipe().family,
              family == FamilyChoice::kMinHash ? recipe::Family::kMinHash : recipe::Family::kSimHash);
  }
}

TEST(Arrivals, FiguresGrowWithWhatIsHeld) {
  Deduplicator deduplicator = deduplicator_of();
  uint64_t before = deduplicator.figures().size_bytes;
  for (int i = 1; i <= 200; ++i) {
    ASSERT_TRUE(deduplicator.add(std::to_string(i), story(i)));
    const DeduplicatorFigures figures = deduplicator.figures();
    EXPECT_EQ(figures.new_texts, static_cast<uint64_t>(i));
    EXPECT_EQ(figures.different_texts, static_cast<uint64_t>(i));
    EXPECT_GE(figures.size_bytes, before);
    before = figures.size_bytes;
  }
  ASSERT_TRUE(deduplicator.add("near", story(1, 80, 3)));
  EXPECT_EQ(deduplicator.figures().new_texts, 200U);
  EXPECT_EQ(deduplicator.figures().different_texts, 201U);
}

TEST(Arrivals, OfTwoThreadsWithTheSameTextsOneIsFirst) {
  Deduplicator deduplicator = deduplicator_of();
  std::atomic<int> num_new = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&deduplicator, &num_new, thread] {
      for (int i = 0; i < 50; ++i)
        num_new += deduplicator.add(fmt::format("{}/{}", thread, i), story(i, 80, thread))->kind == ArrivalKind::kNew;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_new, 50);
}

TEST(Arrivals, WhatCannotBeSettledBeforehandIsRefused) {
  const auto code_of = [](const DedupOptions& options) {
    const auto created = Deduplicator::create(options);
    EXPECT_FALSE(created);
    return created ? Code::kIo : created.error().code;
  };
  DedupOptions options;
  options.recipe = *recipe::find_recipe("paper");
  options.family = FamilyChoice::kSimHash;
  EXPECT_EQ(code_of(options), Code::kInvalidArgument) << "it learns an IDF from its input";
  options = {};
  options.recipe = *recipe::find_recipe("code");
  options.verify = *verify::rule_from_string("code");
  EXPECT_EQ(code_of(options), Code::kUnsupported);
  options = {};
  options.verify = *verify::rule_from_string("code");
  EXPECT_NE(code_of(options), Code::kIo) << "the recipe is of words";
  options = {};
  options.commonness_file = "/none/commonness.bin";
  EXPECT_EQ(code_of(options), Code::kNotFound);
  options = {};
  options.distance = 99;
  options.family = FamilyChoice::kSimHash;
  EXPECT_EQ(code_of(options), Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::engine
