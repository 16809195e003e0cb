// The distance of signatures of more than 255 values, and what bench query says before it begins.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "neardup/base/code_table.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

TEST(WideDistance, IsKnownInEveryList) {
  const Folder folder;
  std::string lines;
  for (const int changed : {0, 30}) {  // of 200 words, so that about a half of all values differ
    std::string text;
    for (int i = 0; i < 200; ++i) text += (i % 6 == 3 && i / 6 < changed ? " new" : " word") + std::to_string(i);
    lines += json{{"id", changed == 0 ? "a" : "b"}, {"text", text}}.dump() + "\n";
  }
  const std::string recipe =
      folder.write("recipe.json", R"({"family":"minhash","minhash":{"ngram":3,"values":512,"bands":500,"rows":1}})");
  const Ran ran = run({"dedup", folder.write("in.jsonl", lines), "-o", folder / "out", "--recipe", recipe, "--verify",
                       "none", "--pairs"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const char* name : {"out/duplicates.jsonl", "out/pairs.jsonl"}) {
    const json distance = json::parse(folder.read(name))["distance"];
    ASSERT_TRUE(distance.is_number()) << name;
    EXPECT_GT(distance, 255) << name;
    EXPECT_LE(distance, 512) << name;
  }
  EXPECT_GT(json::parse(folder.read("out/report.json"))["examples"][0]["distance"], 255);
}

TEST(WideDistance, BenchQuerySaysWhatItNeedsBeforeItBegins) {
  const Ran ran = run({"bench", "query", "--count", "1e9", "--memory", "256M"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_NE(ran.err.find("a measurement of 1000000000 fingerprints takes about"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--count"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"bench", "query", "--count", "1e12"}).exit, kExitFailed) << "more than any machine has";
  EXPECT_EQ(run({"bench", "query", "--count", "20k", "--queries", "10", "--memory", "64M"}).exit, 0);
}

TEST(OutsideJson, NumbersThatDoNotFitAreUsageErrors) {
  const Folder folder;
  for (const char* recipe : {R"({"seed":18446E744746})", R"({"hash_seed":1e999})"}) {
    const Ran ran = run({"fingerprint", "--recipe", folder.write("recipe.json", recipe), "-"});
    EXPECT_EQ(ran.exit, kExitUsage);
    EXPECT_NE(ran.err.find("number"), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace neardup::cli
