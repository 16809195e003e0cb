#include "neardup/recipe/recipe_tokens.h"

#include <gtest/gtest.h>

#include "neardup/recipe/fingerprinter.h"

namespace neardup::recipe {
namespace {

TEST(RecipeTokens, WhatMakesNoTokensDoesNotMatter) {
  const Recipe recipe = *find_recipe("paper");
  Recipe other = recipe;
  other.name = "mine";
  other.fingerprints = {{.ngram = 3, .top_n = 100, .seed = 5}};
  other.idf = "file";
  other.idf_id = "0123456789abcdef";
  other.min_tokens = 20;
  other.checksum = "md5";
  EXPECT_EQ(tokens_json(other), tokens_json(recipe));
  EXPECT_TRUE(check_tokens(other, tokens_json(recipe), "a.idf"));
}

TEST(RecipeTokens, WhatMakesThemDoes) {
  const Recipe recipe = *find_recipe("paper");
  std::vector<Recipe> others(7, recipe);
  others[0].normalization = "none";
  others[1].fold_han = true;
  others[2].tokenizer = "uax29";
  others[3].cjk = "characters";
  others[4].stop_words = "english";
  others[5].stemmer = "english";
  others[6].hash_seed = 1;
  for (const Recipe& other : others) {
    const Status status = check_tokens(recipe, tokens_json(other), "a.idf");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kMismatch);
    EXPECT_NE(status.error().message.find("'a.idf'"), std::string::npos);
  }
  const std::string message = check_tokens(recipe, tokens_json(others[2]), "a.idf").error().message;
  EXPECT_NE(message.find("\"tokenizer\" is \"uax29\" there and \"words\" in the recipe"), std::string::npos) << message;
}

TEST(RecipeTokens, AnotherDictionaryThanTheNamedIsRefused) {
  EXPECT_TRUE(check_dictionary_id("idf_id", "", "abc", "a.idf"));
  EXPECT_TRUE(check_dictionary_id("idf_id", "abc", "abc", "a.idf"));
  EXPECT_EQ(check_dictionary_id("idf_id", "abd", "abc", "a.idf").error().code, Code::kMismatch);
}

TEST(RecipeTokens, TextsThatAreNoJsonAreRefused) {
  for (const char* text : {"", "words", "[1]", "{\"tokenizer\":", "7"})
    EXPECT_FALSE(check_tokens(*find_recipe("paper"), text, "a.idf")) << text;
}

TEST(RecipeTokens, FingerprinterRefusesADictionaryOfOtherTokens) {
  Recipe recipe = *find_recipe("paper");
  feature::IdfBuilder builder;
  builder.add(std::vector<uint64_t>{1, 2, 3});
  EXPECT_TRUE(Fingerprinter::create(recipe, builder.build({.tokens = tokens_json(recipe)})));
  EXPECT_TRUE(Fingerprinter::create(recipe, builder.build()));  // nobody said which: the caller's business
  recipe.tokenizer = "chars";
  const auto refused = Fingerprinter::create(recipe, builder.build({.tokens = tokens_json(*find_recipe("paper"))}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMismatch);
}

}  // namespace
}  // namespace neardup::recipe
