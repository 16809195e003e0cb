// Which family `neardup fingerprint` makes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

/// Returns "simhash" or "minhash", as the output of one document has it.
std::string family_made(const Folder& folder, std::vector<std::string> flags) {
  const std::string input = folder.write("c.jsonl", "{\"text\":\"one two three four\"}\n");
  flags.insert(flags.begin(), {"fingerprint", input, "--format", "jsonl", "--progress", "off"});
  const Ran ran = run(flags);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const json line = json::parse(ran.out, nullptr, false);
  if (line.contains("signature")) return "minhash";
  return line.contains("fingerprints") ? "simhash" : ran.out;
}

TEST(FingerprintFamily, SimHashWhereTheRecipeHasBoth) {
  const Folder folder;
  EXPECT_EQ(family_made(folder, {}), "simhash");
  EXPECT_EQ(family_made(folder, {"--recipe", "chinese"}), "simhash");
  EXPECT_EQ(family_made(folder, {"--recipe", "news"}), "minhash");
  EXPECT_EQ(family_made(folder, {"--recipe", "grams"}), "simhash");
  EXPECT_EQ(family_made(folder, {"--family", "minhash"}), "minhash");
  EXPECT_EQ(family_made(folder, {"--family", "simhash", "--recipe", "news"}), "simhash");
}

TEST(FingerprintFamily, AutoIsWhatDedupTakes) {
  const Folder folder;
  EXPECT_EQ(family_made(folder, {"--family", "auto"}), "minhash");
  EXPECT_EQ(family_made(folder, {"--family", "auto", "--recipe", "grams"}), "simhash");
  const std::string input = folder.write("words.jsonl", "{\"text\":\"one two\"}\n");
  const std::string idf = folder / "words.idf";
  ASSERT_EQ(run({"idf", input, "-o", idf, "--progress", "off"}).exit, 0);
  EXPECT_EQ(family_made(folder, {"--family", "auto", "--idf", idf}), "simhash");
}

TEST(FingerprintFamily, ErrorsNameTheFamilyThatGoes) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", "{\"text\":\"one two\"}\n");
  EXPECT_NE(run({"fingerprint", input, "--recipe", "minhash", "--family", "simhash"}).err.find("take --family minhash"),
            std::string::npos);
  const std::string idf = folder / "words.idf";
  ASSERT_EQ(run({"idf", input, "-o", idf, "--progress", "off"}).exit, 0);
  EXPECT_NE(run({"fingerprint", input, "--idf", idf, "--family", "minhash"}).err.find("take --family simhash"),
            std::string::npos);
  EXPECT_NE(run({"fingerprint", input, "--family", "recipe"}).err.find("expected auto, minhash or simhash"),
            std::string::npos);
}

}  // namespace
}  // namespace neardup::cli
