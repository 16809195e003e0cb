#include "neardup/cli/explain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "neardup/base/hash.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

const std::string kA = "The quick brown fox jumps over the lazy dog near the river bank";
const std::string kB = "The quick brown fox leaps over the lazy dog near the river bank today";

TEST(Explain, JsonAddsUp) {
  const Ran ran = run({"explain", "--text", kA, kB, "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json object = json::parse(ran.out);
  ASSERT_EQ(object["documents"].size(), 2u);
  for (size_t f = 0; f < object["distances"].size(); ++f) {
    uint64_t prints[2] = {0, 0};
    for (size_t d = 0; d < 2; ++d) {
      const json& print = object["documents"][d]["fingerprints"][f];
      for (size_t bit = 0; bit < 64; ++bit) {
        double votes = 0;
        for (const json& feature : print["features"]) {
          const uint64_t hash = std::stoull(feature["hash"].get<std::string>(), nullptr, 16);
          votes += (hash >> bit & 1) != 0 ? feature["weight"].get<double>() : -feature["weight"].get<double>();
        }
        EXPECT_DOUBLE_EQ(print["votes"][bit].get<double>(), votes);
        if (votes > 0) prints[d] |= uint64_t{1} << bit;
      }
      EXPECT_EQ(print["fingerprint"], to_hex(prints[d]));
    }
    EXPECT_EQ(object["distances"][f]["distance"], std::popcount(prints[0] ^ prints[1]));
    EXPECT_EQ(object["distances"][f]["differing_bits"], differing_bits(prints[0], prints[1]));
  }
  EXPECT_EQ(object["exact"], false);
  EXPECT_NEAR(object["jaccard3"].get<double>(), 8.0 / 15, 1e-6);  // 3-grams: 11 and 12, 8 in common
  EXPECT_NEAR(object["jaccard5"].get<double>(), 4.0 / 15, 1e-6);  // 5-grams: 9 and 10, 4 in common
}

TEST(Explain, FingerprintsAreThoseOfFingerprint) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", json{{"id", "a"}, {"text", kA}}.dump() + "\n");
  const std::string line = run({"fingerprint", input}).out;
  const json object = json::parse(run({"explain", "--jsonl", input, "a", "--json"}).out);
  for (const json& print : object["documents"][0]["fingerprints"]) {
    EXPECT_NE(line.find(print["fingerprint"].get<std::string>()), std::string::npos);
  }
  EXPECT_NE(line.find(object["documents"][0]["checksum"].get<std::string>()), std::string::npos);
}

TEST(Explain, PageShowsTheDifference) {
  const Ran ran = run({"explain", "--text", kA, kB, "--recipe", "grams"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("fox [-jumps-] {+leaps+} over"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("--verify origin       not similar"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("15 features, 2 only in A, 3 only in B:"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << "no colours but on a terminal";
  EXPECT_NE(run({"explain", "--text", kA, kB, "--verify", "jaccard:0.2"}).out.find("jaccard:0.2  similar"),
            std::string::npos);
}

TEST(Explain, ExactCopiesAreCalledSo) {
  const Ran ran = run({"explain", "--text", "One  two three", "one two\nthree"});
  EXPECT_NE(ran.out.find("exact duplicates"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("distance 0 of 64\n"), std::string::npos) << ran.out;
}

TEST(Explain, ATextWithoutTokensHasNoFingerprint) {
  const Ran ran = run({"explain", "--text", "...", "one two three"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("too few tokens"), std::string::npos);
  EXPECT_EQ(ran.out.find("distance"), std::string::npos);
}

TEST(Explain, FindsDocumentsByIdAndPlace) {
  const Folder folder;
  const std::string input =
      folder.write("c.jsonl", "{\"id\":\"a\",\"text\":\"one two\"}\n\n{\"text\":\"three four\"}\n");
  const Ran ran = run({"explain", "--jsonl", input, "c.jsonl:3", "a"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("[-three four-]"), std::string::npos) << ran.out;
  const Ran missing = run({"explain", "--jsonl", input, "a", "b"});
  EXPECT_EQ(missing.exit, kExitFailed);
  EXPECT_EQ(missing.err, "neardup: " + input + ": no document with id \"b\"; ids there look like \"a\"\n");
}

TEST(Explain, ReadsFilesAndTheSameFileTwice) {
  const Folder folder;
  const std::string a = folder.write("a.txt", kA);
  EXPECT_EQ(run({"explain", a, a}).exit, 0);
  EXPECT_EQ(run({"explain", a}).exit, 0);
  EXPECT_EQ(run({"explain", a, folder / "none"}).exit, kExitFailed);
  EXPECT_EQ(run({"explain"}).exit, kExitUsage);
}

TEST(Explain, LearnsAnIdfWhereTheRecipeAsksForOne) {
  const Ran ran = run({"explain", "--text", kA, kB, "--recipe", "paper", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json object = json::parse(ran.out);
  std::map<std::string, double> weights;
  for (const json& feature : object["documents"][0]["fingerprints"][0]["features"]) {
    weights[feature["text"]] = feature["weight"].get<double>();
  }
  EXPECT_GT(weights.at("jumps"), weights.at("fox")) << "a word of one of the two texts is rarer";
}

}  // namespace
}  // namespace neardup::cli
