// NAME,KEY=VALUE,... taken apart, and the recipe that it makes.
#include "neardup/recipe/typed_recipe.h"

#include <gtest/gtest.h>

namespace neardup::recipe::typed_recipe_test {
namespace {

const std::vector<RecipeKey> kKeys = {{"mask", ""}, {"idf", ""}, {"dictionary", ""}};

std::string shown(const std::string& typed) {
  const RecipeWords words = split_recipe(typed, kKeys);
  std::string out = "[" + words.name + "]";
  for (const auto& [key, value] : words.changes) out += " " + key + ":[" + value + "]";
  return out;
}

TEST(SplitRecipe, CutsOnlyBeforeAKey) {
  EXPECT_EQ(shown("default"), "[default]");
  EXPECT_EQ(shown(""), "[]");
  EXPECT_EQ(shown("web,mask=dates"), "[web] mask:[dates]");
  EXPECT_EQ(shown("web,mask=dates,urls,idf=a.idf"), "[web] mask:[dates,urls] idf:[a.idf]");
  EXPECT_EQ(shown("web,idf=a,b=c.idf"), "[web] idf:[a,b=c.idf]");
  EXPECT_EQ(shown("my,recipe.json,idf=x"), "[my,recipe.json] idf:[x]");
  EXPECT_EQ(shown("mask=dates"), "[] mask:[dates]");
  EXPECT_EQ(shown("web,masks=dates"), "[web,masks=dates]");
  EXPECT_EQ(shown("web,mask="), "[web] mask:[]");
  EXPECT_EQ(shown("web,"), "[web,]");
  EXPECT_EQ(shown("web,mask=a,mask=b"), "[web] mask:[a] mask:[b]");
}

/// The recipe and the files that `typed` makes, or what is wrong with it.
struct Made {
  explicit Made(const std::string& typed, const std::string& unnamed = "default") {
    const auto words = parse_recipe(typed, recipe_keys(true));
    if (!words) {
      problem = words.error().message;
    } else if (const Status status = make_recipe(*words, unnamed, recipe, files); !status) {
      problem = status.error().message;
    }
  }
  Recipe recipe;
  RecipeFiles files;
  std::string problem;
};

TEST(TypedRecipe, HasItsChangesAndTheFilesThatItNames) {
  const Made made("chinese,top_n=20,weight=tfidf,idf=jieba,phrases=p.txt,dictionary=d,user-dictionary=u");
  EXPECT_EQ(made.problem, "");
  ASSERT_EQ(made.recipe.fingerprints.size(), 1U);
  EXPECT_EQ(made.recipe.fingerprints[0].top_n, 20);
  EXPECT_EQ(made.recipe.fingerprints[0].weight, Weight::kTfIdf);
  EXPECT_EQ(made.recipe.idf, "jieba");
  EXPECT_EQ(made.recipe.name, "custom");
  EXPECT_EQ(made.files.phrases, "p.txt");
  EXPECT_EQ(made.files.dictionary.path, "d");
  EXPECT_EQ(made.files.dictionary.user_words, std::vector<std::string>{"u"});
  EXPECT_EQ(made.files.idf, "");
  EXPECT_EQ(Made("web,idf=a,b.idf").files.idf, "a,b.idf");
}

TEST(TypedRecipe, WithoutANameChangesTheOneThatIsGiven) {
  EXPECT_EQ(recipe_id(Made("top_n=5", "grams").recipe), recipe_id(Made("grams,top_n=5").recipe));
  EXPECT_EQ(recipe_id(Made("top_n=5").recipe), recipe_id(Made("default,top_n=5").recipe));
  EXPECT_EQ(Made("", "grams").recipe.name, "grams");
}

TEST(TypedRecipe, SaysWhatIsWrong) {
  EXPECT_NE(Made("default,maks=dates").problem.find("found \"maks\"; did you mean mask?"), std::string::npos);
  EXPECT_EQ(Made("web,mask=dats").problem.find("mask: expected dates"), 0U);
  EXPECT_EQ(Made("web,top_n=x").problem.find("top_n: "), 0U);
  EXPECT_NE(Made("web,top_n=1,top_n=2").problem.find("top_n= is given twice"), std::string::npos);
  EXPECT_NE(Made("web,top_n=").problem.find("top_n= has no value"), std::string::npos);
  EXPECT_NE(Made("nothing").problem.find("no recipe and no file is called 'nothing'"), std::string::npos);
}

}  // namespace
}  // namespace neardup::recipe::typed_recipe_test
