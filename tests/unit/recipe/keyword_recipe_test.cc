#include "neardup/recipe/keyword_recipe.h"

#include <gtest/gtest.h>

namespace neardup::recipe::keyword_recipe_test {
namespace {

TEST(KeywordRecipe, EveryRecipeCanBeOneFingerprintOfItsHeaviestTokens) {
  for (const std::string& name : recipe_names()) {
    Recipe recipe = *find_recipe(name);
    if (recipe.fingerprints.empty()) continue;
    ASSERT_TRUE(use_single_tokens(recipe, {.top_n = 20})) << name;
    ASSERT_TRUE(use_single_tokens(recipe, {.weight = Weight::kTfIdf})) << name;
    ASSERT_EQ(recipe.fingerprints.size(), 1u) << name;
    EXPECT_EQ(recipe.fingerprints[0].ngram, 1) << name;
    EXPECT_EQ(recipe.fingerprints[0].top_n, 20) << name;
    EXPECT_EQ(recipe.fingerprints[0].weight, Weight::kTfIdf) << name;
    EXPECT_NE(recipe.idf, "none") << name;
    EXPECT_EQ(recipe.family, Family::kSimHash) << name;
    EXPECT_FALSE(recipe.either_family) << name;
  }
}

TEST(KeywordRecipe, JiebaBringsWordsAndTheirIdf) {
  Recipe recipe = *find_recipe("chinese");
  ASSERT_TRUE(use_jieba_idf(recipe));
  EXPECT_EQ(recipe.idf, "jieba");
  EXPECT_EQ(recipe.tokenizer, "jieba");
  EXPECT_TRUE(recipe.needs_dictionary());
}

TEST(KeywordRecipe, WhatCannotBeLeavesTheRecipe) {
  Recipe recipe = *find_recipe("minhash");
  const Recipe before = recipe;
  EXPECT_FALSE(use_single_tokens(recipe, {.top_n = 20}));
  EXPECT_FALSE(use_jieba_idf(recipe));
  EXPECT_EQ(recipe, before);
  Recipe grams = *find_recipe("grams");
  EXPECT_FALSE(use_single_tokens(grams, {.top_n = -1}));
  EXPECT_EQ(grams, *find_recipe("grams"));
}

}  // namespace
}  // namespace neardup::recipe::keyword_recipe_test
