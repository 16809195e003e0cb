#include "neardup/verify/verifier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "neardup/verify/bridges.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/held.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify::verifier_test {
namespace {

struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine()); }
  std::mt19937 engine;
};

using Tokens = std::vector<uint32_t>;
using Documents = std::vector<Tokens>;

TokenSource source_of(const Documents& documents) {
  return [&documents](uint32_t document, Tokens& tokens) -> Status {
    tokens = documents.at(document);
    return {};
  };
}

// Families of edited copies, with lengths from 0 to 400 tokens.
Documents edited_copies(size_t count, uint32_t seed) {
  Random random(seed);
  Documents documents;
  while (documents.size() < count) {
    Tokens tokens(random() % 8 == 0 ? random() % 7 : random() % 400);
    for (uint32_t& token : tokens) token = random() % 5000;
    const bool is_template = random() % 3 == 0;  // then each eighth token is a number, and only these change
    for (size_t i = 0; is_template && i < tokens.size(); ++i) tokens[i] = (tokens[i] & ~1U) + (i % 8 == 0);
    for (int copy = 0; copy < 4; ++copy) {
      documents.push_back(tokens);
      for (size_t i = 0; is_template && i < tokens.size(); i += 8) tokens[i] = random() % 5000 | 1;
      if (is_template) continue;
      for (size_t edit = 0; edit < tokens.size() / 12; ++edit) tokens[random() % tokens.size()] = random() % 5000;
    }
  }
  return documents;
}

constexpr Rule kOrigin{.kind = Rule::Kind::kOrigin};
constexpr Rule kTemplates{.kind = Rule::Kind::kOrigin, .templates = true};

void expect_same(const Verdict& fast, const Verdict& plain) {
  EXPECT_EQ(fast.similar, plain.similar);
  if (fast.exact) {
    EXPECT_EQ(fast.similarity, plain.similarity);
  } else {
    EXPECT_FALSE(fast.similar);
    EXPECT_GE(fast.similarity, plain.similarity);
  }
}

TEST(Verifier, AgreesWithTheDefinitionForEachRule) {
  const Documents documents = edited_copies(72, 1);
  size_t num_refused = 0;
  for (const Rule& rule : {kOrigin, kTemplates, *rule_from_string("jaccard:0.8"), *rule_from_string("jaccard:0.05"),
                           *rule_from_string("jaccard:1"), *rule_from_string("none")}) {
    Verifier verifier(rule, source_of(documents), 1 << 20);
    for (uint32_t a = 0; a < documents.size(); ++a) {
      for (uint32_t b = a; b < documents.size(); b += 1 + b % 5) {
        const Verdict plain = compare_tokens(rule, documents[a], documents[b]);
        expect_same(*verifier.compare(a, b), plain);
        EXPECT_EQ(*verifier.compare_exactly(b, a), plain);
        num_refused += plain.other_numbers;
      }
    }
  }
  EXPECT_GT(num_refused, 0U);
}

// A template of 60 words with 10 numbers in it.
Tokens bulletin(uint32_t num_same, uint32_t other) {
  Tokens tokens(60);
  for (uint32_t i = 0; i < tokens.size(); ++i) tokens[i] = 2 * i;
  for (uint32_t i = 0; i < 10; ++i) tokens[6 * i + 3] = 1 + 2 * (i < num_same ? i : other + i);
  return tokens;
}

TEST(Verifier, TextsOfOneTemplateNeedTheSameNumbers) {
  const Documents documents = {bulletin(10, 100), bulletin(7, 100), bulletin(6, 100)};
  Verifier origin(kOrigin, source_of(documents), 0), templates(kTemplates, source_of(documents), 1 << 20);
  EXPECT_TRUE(origin.compare(0, 1)->similar);
  EXPECT_TRUE(origin.compare(0, 2)->similar);
  EXPECT_FALSE(origin.compare(0, 2)->other_numbers);
  EXPECT_TRUE(templates.compare(0, 1)->similar);
  const Verdict refused = *templates.compare(0, 2);
  EXPECT_FALSE(refused.similar);
  EXPECT_TRUE(refused.other_numbers);
  EXPECT_TRUE(refused.exact);
  EXPECT_EQ(refused.similarity, origin.compare(0, 2)->similarity);
  EXPECT_EQ(compare_numbers(documents[0], documents[2]), (NumberMatch{.same = 12, .placed = 20}));
}

TEST(Verifier, NumbersWithoutACommonPlaceSayNothing) {
  Documents documents = {bulletin(0, 100), bulletin(0, 100)};
  documents[1].resize(50);
  documents[0].erase(documents[0].begin());
  for (size_t i = 0; i < documents[1].size(); ++i)  // numbers stand elsewhere in the second text
    if (documents[1][i] % 2 != 0) documents[1][i] = 5000;
  documents[1].push_back(77);
  Verifier templates(kTemplates, source_of(documents), 0);
  EXPECT_EQ(compare_numbers(documents[0], documents[1]), NumberMatch{});
  EXPECT_EQ(templates.compare_exactly(0, 1)->other_numbers, false);
}

TEST(Verifier, NumbersCountInTheBudgetOfTheCache) {
  const Documents plain(4, Tokens(1000, 2)), numbers(4, Tokens(1000, 3));
  Verifier of_plain(kTemplates, source_of(plain), 1 << 20);
  Verifier of_numbers(kTemplates, source_of(numbers), 1 << 20);
  EXPECT_TRUE(of_plain.compare(0, 1)->similar);
  EXPECT_TRUE(of_numbers.compare(0, 1)->similar);
  EXPECT_EQ(of_numbers.cache_stats().size_bytes, of_plain.cache_stats().size_bytes + 2 * 2000 * sizeof(uint64_t));
  EXPECT_EQ(comparing_bytes_per_token(kTemplates), comparing_bytes_per_token(kOrigin) + 2 * sizeof(uint64_t));
  EXPECT_EQ(comparing_bytes_per_token({.kind = Rule::Kind::kContent}),
            comparing_bytes_per_token(kTemplates) + kBridgeBytesPerToken);
}

TEST(Verifier, ShortTexts) {
  const Documents documents = {{}, {}, {7}, {7}, {7, 8}, {7, 8}, {7, 8, 9}, {7, 8, 9}, {8, 7}, {7, 8, 9, 10}};
  Verifier verifier(kOrigin, source_of(documents), 0);
  EXPECT_FALSE(verifier.compare(0, 1)->similar);  // no tokens: similar to nothing
  EXPECT_FALSE(verifier.compare(0, 0)->similar);
  EXPECT_FALSE(verifier.compare(0, 2)->similar);
  for (const uint32_t a : {2U, 4U, 6U}) {
    EXPECT_EQ(*verifier.compare(a, a + 1), (Verdict{true, true, 1.0F})) << a;
    EXPECT_FALSE(verifier.compare(a, a == 2 ? 4 : 8)->similar) << a;
  }
  Verifier five(*rule_from_string("jaccard:0.1"), source_of(documents), 0);
  EXPECT_EQ(*five.compare(6, 7), (Verdict{true, true, 1.0F}));
  EXPECT_FALSE(five.compare(6, 9)->similar);
  Verifier none(*rule_from_string("none"), source_of(documents), 0);
  EXPECT_TRUE(none.compare(0, 1)->similar);
  EXPECT_EQ(none.compare(6, 9)->similarity, 0.5F);
}

// 49 and 50 distinct 2-grams on both sides of J3 = .40 and .55.
TEST(Verifier, OriginThresholdFollowsTheNumberOfBigrams) {
  const auto texts = [](uint32_t size, uint32_t common) {  // two texts with `common` tokens at their beginnings
    Documents pair(2, Tokens(size));
    for (uint32_t i = 0; i < size; ++i) pair[0][i] = i, pair[1][i] = i < common ? i : 1000 + i;
    return pair;
  };
  for (const auto& [size, common, similar] :
       {std::tuple{51U, 30U, true}, {50U, 30U, false}, {51U, 29U, false}, {50U, 37U, true}, {50U, 36U, false}}) {
    const Documents pair = texts(size, common);
    Verifier verifier(kOrigin, source_of(pair), 0);
    EXPECT_EQ(verifier.compare(0, 1)->similar, similar) << size << " " << common;
    EXPECT_EQ(compare_tokens(kOrigin, pair[0], pair[1]).similar, similar);
  }
}

TEST(Verifier, CacheKeepsWithinItsBudgetAndRemembers) {
  Documents documents(50, Tokens(300));
  for (uint32_t i = 0; i < 50; ++i) std::iota(documents[i].begin(), documents[i].end(), i * 1000);
  documents.push_back(Tokens(100'000));
  std::iota(documents.back().begin(), documents.back().end(), 1U << 20);
  constexpr uint64_t kBudget = 20'000;
  Verifier verifier(kOrigin, source_of(documents), kBudget);
  for (uint32_t i = 0; i + 1 < 50; ++i) {
    EXPECT_FALSE(verifier.compare(i, i + 1)->similar);
    EXPECT_LE(verifier.cache_stats().size_bytes, kBudget);
  }
  EXPECT_EQ(verifier.cache_stats().misses, 50U);  // each set served two comparisons
  EXPECT_EQ(verifier.cache_stats().hits, 48U);
  EXPECT_EQ(verifier.compare(50, 50)->similarity, 1.0F);  // larger than the whole cache
  EXPECT_EQ(verifier.cache_stats().misses, 52U);
  EXPECT_TRUE(verifier.compare(49, 49)->similar);  // and it drove nothing out
  EXPECT_EQ(verifier.cache_stats().misses, 52U);
}

TEST(Verifier, WhatWasNotUsedAgainGoesFirst) {
  const Documents documents(10, Tokens(400, 1));  // one 3-gram each: every set costs the same
  Verifier probe(kOrigin, source_of(documents), 1 << 20);
  EXPECT_TRUE(probe.compare(0, 0)->similar);
  Verifier verifier(kOrigin, source_of(documents), 2 * probe.cache_stats().size_bytes);
  EXPECT_TRUE(verifier.compare(0, 1)->similar);
  EXPECT_TRUE(verifier.compare(0, 2)->similar);  // 1 goes
  EXPECT_EQ(verifier.cache_stats().misses, 3U);
  EXPECT_TRUE(verifier.compare(0, 2)->similar);
  EXPECT_EQ(verifier.cache_stats().misses, 3U);
  EXPECT_TRUE(verifier.compare(1, 1)->similar);
  EXPECT_EQ(verifier.cache_stats().misses, 4U);
}

// Sets of all sizes, so that one that comes in drives several out and entries lie free for a while.
TEST(Verifier, ACacheInConstantChangeGivesTheSameVerdicts) {
  Documents documents;
  for (uint32_t i = 0; i < 300; ++i) {
    documents.emplace_back(i % 17 == 0 ? 4000 : 3 + i % 50);
    std::iota(documents.back().begin(), documents.back().end(), i * 10'000);
  }
  Verifier verifier(kOrigin, source_of(documents), 40'000);
  Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t a = random() % 300, b = random() % 3 == 0 ? a : random() % 300;
    ASSERT_EQ(verifier.compare(a, b)->similar, a == b);
    ASSERT_LE(verifier.cache_stats().size_bytes, 40'000U);
  }
  const CacheStats stats = verifier.cache_stats();
  EXPECT_EQ(stats.hits + stats.misses, 40'000U);
  EXPECT_GT(stats.hits, 8'000U);
}

TEST(Verifier, LeavesOutPairsOfWhichTheLongerOneHoldsTheOther) {
  Documents documents = edited_copies(60, 3);
  for (size_t i = 0, count = documents.size(); i < count; ++i) {  // beginnings, some of which say a little more
    const Tokens& whole = documents[i];
    documents.emplace_back(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() * (5 + i % 5) / 10));
    if (i % 3 == 0) documents.back().insert(documents.back().end(), documents.back().size() / 8, 7);
  }
  for (const Rule& rule : {kOrigin, Rule{.kind = Rule::Kind::kContent}, Rule{Rule::Kind::kJaccard, 0.4}}) {
    size_t num_held = 0, num_similar = 0;
    for (const double asked : {0.5, 0.8, 1.0}) {
      Verifier plain(rule, source_of(documents), 1 << 20), verifier(rule, source_of(documents), 1 << 20);
      verifier.leave_contained(asked);
      for (uint32_t a = 0; a < documents.size(); ++a)
        for (uint32_t b = 0; b < a; ++b) {
          Verdict expected = *plain.compare(a, b);
          expected.held = expected.similar && is_held_by_longer(documents[b], documents[a], asked);
          expected.similar = expected.similar && !expected.held;
          ASSERT_EQ(*verifier.compare(a, b), expected);
          ASSERT_EQ(verifier.compare_exactly(b, a)->held, expected.held);
          num_held += expected.held ? 1 : 0, num_similar += expected.similar ? 1 : 0;
        }
    }
    EXPECT_GT(num_held, 50U);
    EXPECT_GT(num_similar, 50U);
  }
}

TEST(Verifier, HandsOnTheSourcesError) {
  const TokenSource source = [](uint32_t document, Tokens& tokens) -> Status {
    if (document == 3) return fail(Code::kIo, "cannot read document 3");
    tokens.assign(10, document);
    return {};
  };
  Verifier verifier(kOrigin, source, 1 << 20);
  ASSERT_FALSE(verifier.compare(1, 3));
  EXPECT_EQ(verifier.compare(3, 1).error().message, "cannot read document 3");
  EXPECT_TRUE(verifier.compare(1, 1));
}

TEST(Verifier, ThreadsAndTinyCachesGiveTheSameVerdicts) {
  const Documents documents = edited_copies(60, 2);
  const auto count = static_cast<uint32_t>(documents.size());
  std::vector<Verdict> expected;
  Verifier alone(kOrigin, source_of(documents), 1 << 30);
  for (uint32_t i = 0; i < count * count; ++i) expected.push_back(*alone.compare(i / count, i % count));
  for (const uint64_t cache_bytes : {0, 3000, 30'000, 16 << 20}) {
    Verifier verifier(kOrigin, source_of(documents), cache_bytes);
    std::atomic<uint32_t> differences = 0;
    std::vector<std::jthread> threads;
    for (uint32_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (uint32_t k = 0; k < count * count; ++k) {
          const uint32_t i = (k * (2 * thread + 1) + thread * 977) % (count * count);
          if (*verifier.compare(i / count, i % count) != expected[i]) ++differences;
        }
      });
    }
    threads.clear();
    EXPECT_EQ(differences, 0U);
    EXPECT_LE(verifier.cache_stats().size_bytes, cache_bytes);
  }
}

}  // namespace
}  // namespace neardup::verify::verifier_test
