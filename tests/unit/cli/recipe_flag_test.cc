// --recipe NAME,KEY=VALUE,...
#include "neardup/cli/recipe_flag.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/run.h"

namespace neardup::cli::recipe_flag_test {
namespace {

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

TEST_F(RecipeFlag, OfFingerprintsThatAreKeptTheOthersStayAsTheyAre) {
  const auto prints = [&](const std::string& recipe) { return run({"fingerprint", file_, "--recipe", recipe}).out; };
  EXPECT_EQ(prints("top_n=2"), prints("grams,top_n=2"));
  EXPECT_EQ(prints("weight=binary"), prints("grams,weight=binary"));
  EXPECT_EQ(prints("mask=urls"), prints("grams,mask=urls"));
  EXPECT_NE(prints("top_n=2"), prints("grams"));
}

TEST_F(RecipeFlag, NamesWhatIsWrong) {
  EXPECT_NE(tokens({"--recipe", "default,maks=dates"}).find("found \"maks\"; did you mean mask?"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,mask=dats"}).find("--recipe: mask: expected dates"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,extraction=all"}).find("extraction"), std::string::npos);
  EXPECT_NE(tokens({"--recipe", "default,phrases=/none"}).find("/none"), std::string::npos);
}

}  // namespace
}  // namespace neardup::cli::recipe_flag_test
