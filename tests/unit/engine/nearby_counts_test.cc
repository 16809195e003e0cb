// What is learnt of how common n-grams are around a text that comes, against the definition; and what that does to
// forms.
#include "neardup/engine/online/nearby_counts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "neardup/engine/match/families.h"
#include "neardup/engine/online/deduplicator.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

using Tokens = std::vector<uint32_t>;

Decision default_decision() {
  auto decision = Decision::create(recipe::default_recipe(), {}, {});
  EXPECT_TRUE(decision);
  return std::move(*decision);
}

// A frame of 100 tokens and `own` others.
Tokens filled(uint32_t seed, size_t own) {
  std::mt19937 random(seed);
  Tokens tokens;
  for (uint32_t i = 0; i < 50; ++i) tokens.push_back(2 * i);
  for (size_t i = 0; i < own; ++i) tokens.push_back(1000 + 2 * (static_cast<uint32_t>(random()) >> 8));
  for (uint32_t i = 50; i < 100; ++i) tokens.push_back(2 * i);
  return tokens;
}

std::set<uint32_t> ngrams_of(const Tokens& tokens) {
  const auto set = verify::make_shingle_set(tokens, 3);
  return {set.hashes.begin(), set.hashes.end()};
}

// filled() with the same 70 of its own, but for the last one.
Tokens revised(uint32_t seed) {
  Tokens tokens = filled(7, 70);
  tokens[119] = 1001 + 2 * seed;
  return tokens;
}

// A text that is taken.
struct Taken {
  Tokens tokens;
  bool is_kept = false;
};

double similarity_of(const Tokens& a, const Tokens& b) {
  const std::set<uint32_t> in_a = ngrams_of(a), in_b = ngrams_of(b);
  const auto common = std::ranges::count_if(in_a, [&](uint32_t ngram) { return in_b.contains(ngram); });
  return static_cast<double>(common) / static_cast<double>(in_a.size() + in_b.size() - static_cast<size_t>(common));
}

// Those that count by the definition: of a family the first kFamilyMembers once, and whoever is kept begins one.
std::vector<Tokens> counted_of(const std::vector<Taken>& taken) {
  std::vector<std::pair<Tokens, uint32_t>> families;  // the first of each, and how many they are
  std::vector<Tokens> counted;
  for (const Taken& text : taken) {
    auto family = families.begin();
    while (family != families.end() && (text.is_kept || similarity_of(text.tokens, family->first) < kFamilySimilarity))
      ++family;
    const bool is_first = family == families.end();
    if (is_first || family->second >= kFamilyMembers) counted.push_back(text.tokens);
    if (is_first)
      families.emplace_back(text.tokens, 1);
    else
      ++family->second;
  }
  return counted;
}

verify::Verdict by_definition(const Tokens& arriving, const Tokens& stored, const std::vector<Tokens>& counted) {
  verify::Commonness counts(uint64_t{1} << 22, uint64_t{1} << 22);
  for (const Tokens& text : counted) {
    const std::set<uint32_t> ngrams = ngrams_of(text);
    counts.add(std::vector<uint32_t>(ngrams.begin(), ngrams.end()));
  }
  counts.settle();
  return verify::compare_content_tokens(stored, arriving, &counts);
}

TEST(NearbyCounts, CountAsTheDefinitionDoes) {
  const Decision decision = default_decision();
  size_t num_refused = 0, num_cases = 0;
  for (const size_t num_near : {0, 1, 4, 15, 16, 20, 30})
    for (const size_t num_kept : {1, 2, 9})
      for (const size_t num_kinds : {1, 2, 3}) {
        const Tokens arriving = filled(999, 25);
        NearbyCounts nearby(decision, arriving);
        std::vector<Taken> taken;
        for (size_t i = 0; i < num_kept; ++i) {
          taken.push_back({filled(static_cast<uint32_t>(i), 25), true});
          nearby.take_kept(i, taken.back().tokens);
        }
        for (uint32_t i = 0; i < num_near; ++i) {
          // Of the family of one that is kept, of none, or of their own.
          const size_t kind = i % num_kinds;
          taken.push_back({kind == 2 ? revised(i) : filled(100 + i, kind == 0 ? 5 : 70)});
          ASSERT_TRUE(nearby.wants_near(0));
          nearby.take_near(0, taken.back().tokens);
        }
        std::vector<Tokens> counted = counted_of(taken);
        counted.push_back(arriving);
        const verify::Verdict expected = by_definition(arriving, filled(0, 25), counted);
        const verify::Verdict found = nearby.compare(filled(0, 25));
        EXPECT_EQ(found.similar, expected.similar) << num_near << " " << num_kept << " " << num_kinds;
        // A few n-grams share a counter.
        if (expected.similar) {
          EXPECT_NEAR(found.similarity, expected.similarity, .01) << num_near << " " << num_kept << " " << num_kinds;
        }
        num_refused += expected.similar ? 0 : 1;
        ++num_cases;
      }
  EXPECT_GT(num_refused, num_cases / 4);
  EXPECT_LT(num_refused, num_cases);
}

// Revisions of one text that is near a kept one say once what they have in common with it, as in a run.
TEST(NearbyCounts, RevisionsOfATextThatIsNotKeptAreOneFamily) {
  const Decision decision = default_decision();
  const Tokens kept = filled(0, 25), arriving = filled(999, 25);
  const auto similarity_among = [&](size_t num_near, bool are_revisions) {
    NearbyCounts nearby(decision, arriving);
    nearby.take_kept(0, kept);
    for (uint32_t i = 0; i < num_near; ++i) nearby.take_near(0, are_revisions ? revised(i) : filled(100 + i, 70));
    return nearby.compare(kept).similarity;
  };
  EXPECT_NEAR(similarity_among(12, true), similarity_among(1, true), .01);
  EXPECT_LT(similarity_among(12, false), similarity_among(1, false) - .1F);
}

TEST(NearbyCounts, TakeSoManyAndNoMore) {
  const Decision decision = default_decision();
  const Tokens arriving = filled(1, 5);
  NearbyCounts nearby(decision, arriving);
  for (size_t i = 0; i < NearbyCounts::kMostKept; ++i) {
    ASSERT_TRUE(nearby.wants_kept());
    nearby.take_kept(i, filled(2, 5));
  }
  EXPECT_FALSE(nearby.wants_kept());
  for (size_t i = 0; i < NearbyCounts::kMostNearOne; ++i) {
    ASSERT_TRUE(nearby.wants_near(3));
    nearby.take_near(3, filled(3, 5));
  }
  EXPECT_FALSE(nearby.wants_near(3));
  EXPECT_FALSE(nearby.wants_near(NearbyCounts::kMostKept)) << "its original was not taken";
  EXPECT_TRUE(nearby.wants_near(4));
  Tokens giant(NearbyCounts::kMostTokens, 7);
  nearby.take_near(4, giant);
  EXPECT_FALSE(nearby.wants_near(4));
}

std::string form(std::mt19937& random, int own) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += fmt::format("frame{} ", i);
  for (int i = 0; i < own; ++i) text += fmt::format("own{} ", random() % 100'000);
  for (int i = 60; i < 120; ++i) text += fmt::format("frame{} ", i);
  return text;
}

// The first that come look like copies of the first; then the form is known. `dedup` keeps all of them.
TEST(NearbyCounts, AFormThatIsFilledInIsKnownSoon) {
  const std::string folder = own_path();
  for (const int own : {16, 30, 60}) {
    std::mt19937 random(static_cast<uint32_t>(own));
    std::vector<std::string> texts;
    for (int i = 0; i < 120; ++i) texts.push_back(form(random, own));
    auto deduplicator = Deduplicator::create({});
    ASSERT_TRUE(deduplicator);
    std::filesystem::remove_all(folder);
    auto store = TextStore::create(folder, {});
    ASSERT_TRUE(store) << store.error().message;
    size_t num_removed = 0, last_removed = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::string id = std::to_string(i);
      const auto arrival = deduplicator->add(id, texts[i]);
      const ArrivingText arriving{.id = id, .text = texts[i]};
      const auto verdicts = (*store)->check_and_insert({&arriving, 1});
      ASSERT_TRUE(arrival && verdicts);
      EXPECT_EQ(arrival->duplicate_of, verdicts->front().duplicate_of) << i;
      if (arrival->kind == Arrival::Kind::kNew) continue;
      ++num_removed;
      last_removed = i;
    }
    EXPECT_LE(num_removed, 25U) << own;
    EXPECT_LE(last_removed, 40U) << own;
    EXPECT_EQ(deduplicator->figures().new_texts, texts.size() - num_removed);
  }
  std::filesystem::remove_all(folder);
}

// What was near a document that is gone counts for nobody: copies of what came in its place are copies.
TEST(NearbyCounts, WhatWasNearAnErasedOneCountsNoMore) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  auto store = TextStore::create(folder, {});
  ASSERT_TRUE(store) << store.error().message;
  std::mt19937 random(3);
  const auto add = [&](const std::string& id) {
    const std::string text = form(random, 20);
    const ArrivingText arriving{.id = id, .text = text};
    return (*store)->check_and_insert({&arriving, 1})->front();
  };
  EXPECT_EQ(add("first").kind, store::Kind::kNew);
  for (int i = 0; i < 15; ++i) EXPECT_EQ(add(std::to_string(i)).duplicate_of, "first") << i;
  const std::string_view gone[] = {"first"};
  ASSERT_TRUE((*store)->store().erase(gone));
  EXPECT_EQ(add("second").kind, store::Kind::kNew);
  for (int i = 20; i < 35; ++i) EXPECT_EQ(add(std::to_string(i)).duplicate_of, "second") << i;
  store->reset();
  std::filesystem::remove_all(folder);
}

// Copies with little of their own stay copies, however many there are.
TEST(NearbyCounts, ATextThatManyCarryStaysOne) {
  auto deduplicator = Deduplicator::create({});
  ASSERT_TRUE(deduplicator);
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const auto arrival = deduplicator->add(std::to_string(i), form(random, 5));
    ASSERT_TRUE(arrival);
    EXPECT_EQ(arrival->kind == Arrival::Kind::kNew, i == 0) << i;
  }
}

}  // namespace
}  // namespace neardup::engine
