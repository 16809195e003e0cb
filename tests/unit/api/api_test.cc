// The public door: what it refuses, and what its answers say.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "neardup/neardup.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

const std::string kStorm =
    "The harbour was closed for three days because of the storm that came from the north on Monday night, and the "
    "ferries stayed on the island until the wind had turned to the west again.";
const std::string kStormEdited =
    "The harbour was closed for three days because of the storm that came from the north on Monday night, and all "
    "ferries stayed on the island until the wind turned west again.";
const std::string kBread =
    "Bread is baked at four in the morning in the village where my grandmother was born, and whoever wakes up early "
    "enough may carry the first loaf home while it is warm.";

template <class T>
void expect_unset(const Result<T>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::kInvalidArgument);
  EXPECT_NE(result.error().message.find("default_recipe()"), std::string::npos) << result.error().message;
}

TEST(Api, NobodyTakesARecipeThatIsNotSet) {
  const Recipe unset;
  EXPECT_EQ(unset.id(), "");
  expect_unset(Fingerprinter::create(unset));
  expect_unset(Deduplicator::create({.recipe = unset}));
  expect_unset(compare("a", "b", {.recipe = unset}));
  expect_unset(dedup_texts({}, {.matching = {.recipe = unset}}));
  expect_unset(dedup_files({.inputs = {"x"}, .output = own_path(), .matching = {.recipe = unset}}));
  expect_unset(Index::create(own_path(), {.recipe = unset}));
}

TEST(Api, RecipesComeBackFromTheirJson) {
  for (const std::string& name : recipe_names()) {
    const Recipe recipe = *find_recipe(name);
    const auto read = recipe_from_json(recipe.json());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->id(), recipe.id());
  }
  EXPECT_EQ(default_recipe().id(), find_recipe("default")->id());
}

TEST(Api, WhatLearnsFromAllTextsNeedsAFile) {
  const Matching learns = {.family = Family::kSimHash};
  EXPECT_EQ(Fingerprinter::create(learns).error().code, Code::kInvalidArgument);
  EXPECT_EQ(compare("a", "b", learns).error().code, Code::kInvalidArgument);
  const auto seen = Deduplicator::create(learns);
  ASSERT_FALSE(seen);
  EXPECT_NE(seen.error().message.find("grams"), std::string::npos) << seen.error().message;
  EXPECT_EQ(Deduplicator::create({.recipe = *find_recipe("code")}).error().code, Code::kUnsupported);
  EXPECT_EQ(Deduplicator::create({.verify = "nonsense"}).error().code, Code::kInvalidArgument);
  for (const int distance : {-1, 17, 64}) {
    const Matching matching{.recipe = *find_recipe("grams"), .distance = distance};
    EXPECT_EQ(Deduplicator::create(matching).error().code, Code::kInvalidArgument);
    EXPECT_EQ(compare(kStorm, kBread, matching).error().code, Code::kInvalidArgument);
  }
  EXPECT_EQ(Deduplicator::create({.commonness_file = own_path()}).error().code, Code::kNotFound);
}

class Online : public ::testing::TestWithParam<const char*> {
 protected:
  Deduplicator seen_ = *Deduplicator::create({.recipe = *find_recipe(GetParam())});
};

TEST_P(Online, TellsNewFromCopiesAndNearOnes) {
  EXPECT_TRUE(seen_.add("storm", kStorm)->is_new());
  EXPECT_TRUE(seen_.add("bread", kBread)->is_new());
  const Arrival near = *seen_.add("edited", kStormEdited);
  EXPECT_EQ(near.kind, Arrival::Kind::kNear);
  EXPECT_EQ(near.duplicate_of, "storm");
  EXPECT_GT(near.similarity, 0.4);
  const Arrival copy = *seen_.add("again", "  " + kBread + "\n");
  EXPECT_EQ(copy.kind, Arrival::Kind::kExact);
  EXPECT_EQ(copy.duplicate_of, "bread");
}

TEST_P(Online, TheSameAgainGetsTheSameVerdict) {
  for (int time = 0; time < 3; ++time) {
    EXPECT_TRUE(seen_.add("storm", kStorm)->is_new());
    EXPECT_EQ(seen_.add("edited", kStormEdited)->kind, Arrival::Kind::kNear);
    EXPECT_EQ(seen_.add("copy", kStorm)->kind, Arrival::Kind::kExact);
    EXPECT_EQ(seen_.add("copy of edited", kStormEdited)->kind, Arrival::Kind::kNear) << "as near as the first of them";
  }
  EXPECT_EQ(seen_.figures().new_texts, 1U);
  EXPECT_EQ(seen_.figures().different_texts, 2U);
}

TEST_P(Online, OneIdWithTwoTextsIsTwoDocuments) {
  EXPECT_TRUE(seen_.add("x", kStorm)->is_new());
  EXPECT_TRUE(seen_.add("x", kBread)->is_new());
  EXPECT_EQ(seen_.add("y", kBread)->duplicate_of, "x");
  EXPECT_EQ(seen_.figures().new_texts, 2U);
}

TEST_P(Online, TextsWithoutAnIdAreNotTakenForTheSameOneSentAgain) {
  EXPECT_TRUE(seen_.add("", kStorm)->is_new());
  EXPECT_EQ(seen_.add("", kStorm)->kind, Arrival::Kind::kExact);
  EXPECT_TRUE(seen_.add("", kBread)->is_new());
}

TEST_P(Online, TextsWithoutWordsAreCopiesAtMost) {
  EXPECT_TRUE(seen_.add("none", "")->is_new());
  EXPECT_EQ(seen_.add("none either", "  \n")->kind, Arrival::Kind::kExact);
  EXPECT_TRUE(seen_.add("signs", "?!")->is_new());
}

TEST_P(Online, OfDuplicatesThatArriveAtOnceOneIsNew) {
  constexpr int kRounds = 200;
  std::atomic<uint64_t> num_new = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kRounds; ++i) {
        const std::string text = kStorm + " Number " + std::to_string(i / 10 * 1'000'003) + (i % 2 == 0 ? "." : "!");
        num_new += seen_.add(std::to_string(thread) + "/" + std::to_string(i), text)->is_new() ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_new, seen_.figures().new_texts);
}

INSTANTIATE_TEST_SUITE_P(Families, Online, ::testing::Values("default", "grams"),
                         [](const auto& recipe) { return std::string(recipe.param); });

TEST(Api, ComparesAsDedupDoes) {
  const Comparison near = *compare(kStorm, kStormEdited);
  EXPECT_TRUE(near.are_duplicates && near.are_candidates && !near.are_equal);
  EXPECT_EQ(near.distance_of, 128);
  EXPECT_GE(near.similarity, near.asked);
  EXPECT_EQ(near.reasons.size(), 2U);
  const Comparison other = *compare(kStorm, kBread, {.recipe = *find_recipe("grams")});
  EXPECT_FALSE(other.are_duplicates);
  EXPECT_EQ(other.distance_of, 64);
  EXPECT_TRUE(compare(kStorm, " " + kStorm)->are_equal);
}

TEST(Api, GivesTheFateOfEachElementOfARange) {
  struct Row {
    int number;
    std::string body;
  };
  const std::list<Row> rows = {{1, kStorm}, {2, kBread}, {3, kStormEdited}, {4, kBread + " "}};
  const auto fates = dedup_range(rows, {}, &Row::body);
  ASSERT_TRUE(fates) << fates.error().message;
  ASSERT_EQ(fates->size(), 4U);
  EXPECT_TRUE((*fates)[0].is_kept() && (*fates)[1].is_kept());
  EXPECT_EQ((*fates)[2].kind, Fate::Kind::kNear);
  EXPECT_EQ((*fates)[2].kept, 0U);
  EXPECT_EQ((*fates)[3].kind, Fate::Kind::kExact);
  EXPECT_EQ((*fates)[3].kept, 1U);
  const std::vector<std::string_view> views = {kBread, kBread};
  EXPECT_EQ((*dedup_range(views))[1].kept, 0U);
  EXPECT_TRUE(dedup_texts({})->empty());
}

TEST(Api, AnIndexIsThereAgain) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  {
    Index index = *Index::create(folder, {.max_distance = 12});
    EXPECT_FALSE(*index.add("storm", kStorm));
    EXPECT_TRUE(*index.add("storm", kBread)) << "there was one with this id";
    EXPECT_FALSE(*index.add("storm2", kStorm));
    ASSERT_TRUE(index.flush());
    EXPECT_FALSE(*index.add("lost", kStorm));
  }
  Index index = *Index::open(folder);
  EXPECT_EQ(index.size(), 2U);
  const auto near = *index.query(kStormEdited);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].id, "storm2");
  EXPECT_TRUE(*index.erase("storm2"));
  EXPECT_FALSE(*index.erase("storm2"));
  EXPECT_TRUE(index.query(kStorm)->empty());
  EXPECT_TRUE(index.query("")->empty());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(Index::open(folder).error().code, Code::kNotFound);
}

TEST(Api, FingerprintsAreThoseOfTheProgram) {
  auto grams = *Fingerprinter::create(*find_recipe("grams"));
  const TextPrint text_fingerprint = grams.fingerprint(kStorm);
  EXPECT_EQ(text_fingerprint.fingerprints.size(), 2U);
  EXPECT_EQ(text_fingerprint.checksum.size(), 32U);
  EXPECT_LT(distance(text_fingerprint.fingerprints[0], grams.fingerprint(kStormEdited).fingerprints[0]), 24);
  auto minhash = *Fingerprinter::create();
  const TextPrint signed_text = minhash.fingerprint(kStorm);
  EXPECT_EQ(signed_text.signature.size(), 128U);
  EXPECT_EQ(similarity(signed_text.signature, signed_text.signature), 1);
  EXPECT_FALSE(minhash.fingerprint("").has_features);
}

}  // namespace
}  // namespace neardup
