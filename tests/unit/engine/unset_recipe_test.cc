// An engine that is given no recipe says so, whatever family is asked for.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "neardup/engine/engine.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

TEST(UnsetRecipe, EndsARun) {
  const std::string folder = own_path();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/in.jsonl") << "{\"text\":\"one two three four\"}\n";
  for (const FamilyChoice family : {FamilyChoice::kAuto, FamilyChoice::kMinHash, FamilyChoice::kSimHash}) {
    DedupOptions options;
    options.inputs = {folder + "/in.jsonl"};
    options.output = folder + "/out";
    options.recipe = {};
    options.family = family;
    const auto report = dedup(options, {});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, Code::kInvalidArgument);
    EXPECT_NE(report.error().message.find("default_recipe()"), std::string::npos) << report.error().message;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace neardup::engine
