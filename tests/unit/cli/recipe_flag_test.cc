// --recipe NAME,KEY=VALUE,...
#include "neardup/cli/recipe_flag.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/run.h"

namespace neardup::cli::recipe_flag_test {
namespace {

const std::vector<std::string> kKeys = {"mask", "idf", "dictionary"};

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

class RecipeFlag : public testing::Test {
 protected:
  [[nodiscard]] std::string tokens(std::vector<std::string> flags) const {
    std::vector<std::string> arguments = {"tokens", file_};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = run(arguments);
    return ran.exit == 0 ? ran.out : ran.err;
  }
  Folder folder_;
  std::string file_ =
      folder_.write("a.jsonl", "{\"id\":\"a\",\"text\":\"Paid on 12 March 2024, see http://a.org/x\"}\n");
};

TEST_F(RecipeFlag, ChangesTheRecipeAsTheOldFlagsDo) {
  EXPECT_NE(tokens({"--recipe", "default,mask=dates,urls"}), tokens({}));
  EXPECT_EQ(tokens({"--recipe", "default,mask=dates,urls"}), tokens({"--mask", "dates,urls"}));
  EXPECT_EQ(tokens({"--recipe", "mask=dates"}), tokens({"--mask", "dates"}));
  EXPECT_EQ(tokens({"--recipe", "default,extraction=none"}), tokens({"--extraction", "none"}));
  EXPECT_EQ(tokens({"--recipe", "web,mask=dates", "--mask", "urls"}), tokens({"--recipe", "web", "--mask", "urls"}));
}

TEST_F(RecipeFlag, NamesWhatIsWrong) {
  EXPECT_NE(tokens({"--recipe", "default,maks=dates"}).find("found \"maks\"; did you mean mask?"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,mask=dats"}).find("--recipe: mask: expected dates"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,extraction=all"}).find("extraction"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,phrases=/none"}).find("/none"), std::string::npos);
}

}  // namespace
}  // namespace neardup::cli::recipe_flag_test
