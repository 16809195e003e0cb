#include "neardup/engine/read/family.h"

#include <gtest/gtest.h>

#include "neardup/engine/match/signatures.h"

namespace neardup::engine {
namespace {

using recipe::Family;

DedupOptions options_of(const std::string& recipe) {
  DedupOptions options;
  options.recipe = *recipe::find_recipe(recipe);
  return options;
}

Family family_of(DedupOptions options) {
  const Status status = choose_family(options);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_FALSE(options.recipe.either_family);
  return options.recipe.family;
}

TEST(Family, AutoTakesMinHashWhereTheRecipeLeavesItOpen) {
  for (const char* recipe : {"default", "web", "chinese", "jieba", "news", "code", "lines", "minhash"})
    EXPECT_EQ(family_of(options_of(recipe)), Family::kMinHash) << recipe;
  for (const char* recipe : {"paper", "grams", "thorough", "short"})
    EXPECT_EQ(family_of(options_of(recipe)), Family::kSimHash) << recipe;
}

TEST(Family, OtherTokensLeaveTheFamilyAsItWas) {
  for (void (*change)(recipe::Recipe&) : {+[](recipe::Recipe& recipe) { recipe.mask = {"dates"}; },
                                          +[](recipe::Recipe& recipe) { recipe.extraction = "auto"; },
                                          +[](recipe::Recipe& recipe) { recipe.min_tokens = 7; },
                                          +[](recipe::Recipe& recipe) { recipe.phrases = "file"; }}) {
    DedupOptions options = options_of("default");
    change(options.recipe);
    EXPECT_EQ(family_of(options), Family::kMinHash) << recipe::to_json(options.recipe);
  }
}

TEST(Family, WhatOnlySimHashHasIsTakenForIt) {
  DedupOptions options = options_of("default");
  options.distance = 3;
  EXPECT_EQ(family_of(options), Family::kSimHash);
  options = options_of("web");
  options.idf_file = "words.idf";
  EXPECT_EQ(family_of(options), Family::kSimHash);
  options.family = FamilyChoice::kMinHash;
  const Status status = choose_family(options);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("idf=FILE"), std::string::npos);
}

TEST(Family, PhrasesSayNothingAboutTheRulesNgrams) {
  recipe::Recipe recipe = *recipe::find_recipe("minhash");
  EXPECT_GT(sketch_bound({}, recipe), 0);
  recipe.phrases = "file";
  EXPECT_EQ(sketch_bound({}, recipe), 0);
}

}  // namespace
}  // namespace neardup::engine
