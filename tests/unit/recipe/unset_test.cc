// A recipe that nothing was set in is refused by whoever is given it.
#include <gtest/gtest.h>

#include "neardup/recipe/recipe.h"

namespace neardup::recipe {
namespace {

void expect_unset(const Status& status) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kInvalidArgument);
  EXPECT_NE(status.error().message.find("default_recipe()"), std::string::npos) << status.error().message;
}

TEST(UnsetRecipe, IsRefused) {
  EXPECT_FALSE(Recipe{}.is_set());
  EXPECT_NE(Recipe{}.name, "default");
  expect_unset(validate(Recipe{}));
  expect_unset(validate(Recipe{.extraction = "html"}));
}

// MinHash needs no fingerprints, so to take it must not make a recipe of nothing.
TEST(UnsetRecipe, BecomesNoneByTakingAFamily) {
  for (const Family family : {Family::kMinHash, Family::kSimHash}) {
    Recipe recipe;
    expect_unset(take_family(recipe, family));
    EXPECT_EQ(recipe, Recipe{});
  }
}

TEST(DefaultRecipe, IsThatOfTheCommandLine) {
  EXPECT_EQ(default_recipe(), *find_recipe("default"));
  EXPECT_EQ(recipe_id(default_recipe()), recipe_id(*find_recipe("default")));
  EXPECT_EQ(default_recipe().name, "default");
}

}  // namespace
}  // namespace neardup::recipe
