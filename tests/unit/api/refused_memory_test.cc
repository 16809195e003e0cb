// Memory that is refused anywhere: a document that was not taken has left nothing, and the others get their fates.
#include "tests/refused_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "neardup/base/guard.h"
#include "neardup/neardup.h"

namespace neardup::refused_memory_test {
namespace {

std::string story(int number, int words, int changed) {
  std::string text;
  for (int i = 0; i < words; ++i) text += i == changed ? "otherwise " : fmt::format("s{}w{} ", number, i);
  return text;
}

// Copies, near ones, short ones, and such as are in one that came before.
std::vector<std::string> some_texts(std::mt19937_64& random, size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const int number = static_cast<int>(random() % 6), words = random() % 3 == 0 ? 6 : 90 - 60 * (number % 2);
    texts.push_back(story(number / 2, words, static_cast<int>(random() % 8) * 5));
  }
  return texts;
}

std::string told(const Result<Arrival>& arrival) {
  if (!arrival) return arrival.error().message;
  return fmt::format("{} {} {}", static_cast<int>(arrival->kind), arrival->duplicate_of, arrival->similarity);
}

// Each text comes with one piece after the other refused until it is taken.
void expect_the_same(const Matching& matching, double contained, int64_t stride) {
  auto calm = *Deduplicator::create(matching, contained), tried = *Deduplicator::create(matching, contained);
  std::mt19937_64 random(torture_seed().value_or(1));
  const std::vector<std::string> texts = some_texts(random, torture_seed() ? 300 : 40);
  int num_refused = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string id = fmt::format("document number {}", i);
    const auto expected = calm.add(id, texts[i]);
    refuse_each(stride, [&](int64_t n) {
      Result<Arrival> arrival = Arrival();
      bool was_refused = false;
      {
        const RefusedMemory refused(n);
        arrival = guarded([&] { return tried.add(id, texts[i]); });
        was_refused = refused.was_refused();
      }
      num_refused += was_refused ? 1 : 0;
      EXPECT_TRUE(arrival || was_refused) << told(arrival);
      if (arrival) EXPECT_EQ(told(arrival), told(expected)) << i << ", piece " << n;
      return !arrival && !testing::Test::HasFailure();
    });
    ASSERT_EQ(tried.figures().new_texts, calm.figures().new_texts) << i;
    ASSERT_EQ(tried.figures().different_texts, calm.figures().different_texts) << i;
  }
  EXPECT_GT(num_refused, 50);
}

TEST(RefusedMemory, ADeduplicatorHasWhatItTook) {
  const int64_t stride = torture_seed() ? 1 : 3;
  for (const char* recipe : {"default", "grams"}) expect_the_same({.recipe = *find_recipe(recipe)}, 0, stride);
  expect_the_same({}, 0.8, stride);
}

}  // namespace
}  // namespace neardup::refused_memory_test
