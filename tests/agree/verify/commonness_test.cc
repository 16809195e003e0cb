// Counts of n-grams against a map, alone and by many threads.
#include "neardup/verify/commonness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "neardup/verify/commonness_counter.h"

namespace neardup::verify::commonness_test {
namespace {

using Hashes = std::vector<uint32_t>;
using Texts = std::vector<Hashes>;

// Texts of some n-grams of their own and some of a vocabulary, which many of them have; ascending, each once.
Texts random_texts(uint32_t seed, size_t count, uint32_t most_ngrams) {
  std::mt19937 random(seed);
  Hashes vocabulary(most_ngrams * 2);
  for (uint32_t& hash : vocabulary) hash = static_cast<uint32_t>(random());
  Texts texts(count);
  for (Hashes& text : texts) {
    std::set<uint32_t> hashes;
    for (size_t i = random() % most_ngrams; i > 0; --i)
      hashes.insert(random() % 2 == 0 ? static_cast<uint32_t>(random()) : vocabulary[random() % vocabulary.size()]);
    text.assign(hashes.begin(), hashes.end());
  }
  return texts;
}

// The definition: in how many texts there is an n-gram of this counter, each n-gram for itself.
std::map<uint32_t, uint64_t> count_by_definition(const Texts& texts, int shift) {
  std::map<uint32_t, uint64_t> counts;
  for (const Hashes& text : texts)
    for (const uint32_t hash : text) ++counts[hash >> shift];
  return counts;
}

std::unique_ptr<Commonness> count_all(const Texts& texts, int counters_log2) {
  auto table = std::make_unique<Commonness>(uint64_t{1} << counters_log2, uint64_t{1} << 30);
  for (const Hashes& text : texts) table->add(text);
  table->settle();
  return table;
}

TEST(Commonness, AgreesWithAMapInTablesOfAllSizes) {
  for (const int log2 : {12, 13, 16, 20, 24}) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      const Texts texts = random_texts(seed, 60, 200);
      const auto table = count_all(texts, log2);
      const auto expected = count_by_definition(texts, 32 - log2);
      ASSERT_EQ(table->size_bytes(), uint64_t{1} << log2 >> 1);
      for (uint32_t counter = 0; counter < uint32_t{1} << std::min(log2, 16); ++counter) {
        const uint64_t count = expected.contains(counter) ? expected.at(counter) : 0;
        ASSERT_EQ(table->counted(counter << (32 - log2)), std::min<uint64_t>(count, Commonness::kMost));
      }
      for (const auto& [counter, count] : expected)
        ASSERT_EQ(table->counted(counter << (32 - log2)), std::min<uint64_t>(count, Commonness::kMost));
    }
  }
}

// With a counter for each n-gram counts are true; with fewer they are never below, as long as nothing is taken off.
TEST(Commonness, SharedCountersNeverHideATextWhereNothingIsTakenOff) {
  size_t num_above = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Texts texts = random_texts(seed, 20, 100);
    const auto large = count_all(texts, 26), small = count_all(texts, 12);
    ASSERT_EQ(small->others(Commonness::kMost, 0), Commonness::kMost) << "too many n-grams for this test";
    for (const auto& [hash, count] : count_by_definition(texts, 0)) {
      const auto expected = static_cast<uint32_t>(std::min<uint64_t>(count, Commonness::kMost));
      EXPECT_EQ(large->others(large->counted(hash), 1), expected - 1) << hash;
      ASSERT_GE(small->others(small->counted(hash), 1), expected - 1);
      num_above += small->counted(hash) > expected;
    }
  }
  EXPECT_GT(num_above, 0U) << "no n-grams shared a counter";
}

TEST(Commonness, IsTheSameForAnyOrderAndNumberOfThreads) {
  Texts texts = random_texts(3, 2000, 300);
  for (const int log2 : {12, 18}) {
    const auto alone = count_all(texts, log2);
    for (const size_t num_threads : {2, 8}) {
      std::shuffle(texts.begin(), texts.end(), std::mt19937(static_cast<uint32_t>(num_threads)));
      Commonness together(uint64_t{1} << log2, uint64_t{1} << 30);
      std::vector<std::jthread> threads;
      for (size_t thread = 0; thread < num_threads; ++thread)
        threads.emplace_back([&, thread] {
          for (size_t i = thread; i < texts.size(); i += num_threads) together.add(texts[i]);
        });
      threads.clear();
      together.settle();
      EXPECT_EQ(together.id(), alone->id()) << num_threads << " threads";
      EXPECT_EQ(together.num_texts(), texts.size());
    }
  }
}

// What waits part by part, by so many threads, against one text after the other; hashes of a text in any order.
void expect_counter_agrees(const Texts& texts, int log2, int num_threads) {
  const auto expected = count_all(texts, log2);
  Commonness table(uint64_t{1} << log2, uint64_t{1} << 30);
  CommonnessCounter counter(table, num_threads);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < num_threads; ++thread)
    threads.emplace_back([&, thread] {
      for (auto i = static_cast<size_t>(thread); i < texts.size(); i += static_cast<size_t>(num_threads)) {
        Hashes hashes = texts[i];
        std::shuffle(hashes.begin(), hashes.end(), std::mt19937(static_cast<uint32_t>(i)));
        counter.add(hashes, thread);
      }
    });
  threads.clear();
  ASSERT_TRUE(counter.finish());
  table.settle();
  ASSERT_EQ(table.id(), expected->id()) << log2 << ", " << num_threads << " threads";
  ASSERT_EQ(table.num_texts(), expected->num_texts());
  ASSERT_EQ(table.others(Commonness::kMost, 0), expected->others(Commonness::kMost, 0)) << "noise";
}

TEST(CommonnessCounter, AgreesWithOneTextAfterTheOther) {
  const Texts texts = random_texts(4, 3000, 300);
  // Small tables are counted at once; in that of 2^21 counters all parts become full, in the largest none does.
  for (const int log2 : {12, 18, 21, 23, 26})
    for (const int num_threads : {1, 3}) expect_counter_agrees(texts, log2, num_threads);
}

// All n-grams in one part of the table: it fills again and again.
TEST(CommonnessCounter, AgreesWhereOnePartGetsAll) {
  Texts texts = random_texts(5, 2000, 300);
  for (Hashes& text : texts) {
    for (uint32_t& hash : text) hash = 0x5A000000U | hash >> 8;
    std::sort(text.begin(), text.end());
    text.erase(std::unique(text.begin(), text.end()), text.end());
  }
  for (const int log2 : {12, 22, 26}) expect_counter_agrees(texts, log2, 4);
}

TEST(CommonnessCounter, NoTextsAndTextsWithoutNgrams) {
  expect_counter_agrees({}, 12, 2);
  expect_counter_agrees({{}, {}, {7}}, 23, 2);
}

TEST(Commonness, CountAllAgreesWithOneLookUpAfterTheOther) {
  const Texts texts = random_texts(6, 200, 300);
  for (const int log2 : {12, 16, 24}) {
    const auto table = count_all(texts, log2);
    std::vector<uint8_t> counted(7, 0xFF);
    for (const Hashes& text : texts) {
      table->count_all(text, counted);
      ASSERT_EQ(counted.size(), (text.size() + 1) / 2);
      for (size_t i = 0; i < text.size(); ++i) ASSERT_EQ(counted[i / 2] >> (i % 2 * 4) & 15, table->counted(text[i]));
    }
  }
}

}  // namespace
}  // namespace neardup::verify::commonness_test
