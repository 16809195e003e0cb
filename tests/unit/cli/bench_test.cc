#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "neardup/cli/bench_texts.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

void expect_measurement(const Ran& ran, const std::string& bench, uint64_t count) {
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json line = json::parse(ran.out);
  EXPECT_EQ(line["bench"], bench);
  EXPECT_EQ(line["count"], count);
  EXPECT_EQ(line["threads"], 1);
  EXPECT_GT(line["seconds"].get<double>(), 0);
  for (const char* key : {"per_second", "bytes_per_item", "peak_bytes"}) EXPECT_GT(line[key].get<double>(), 0) << key;
}

TEST(Bench, FingerprintOfMadeUpTexts) {
  const Ran ran = run({"bench", "fingerprint", "--count", "200", "--threads", "1", "--json"});
  expect_measurement(ran, "fingerprint", 200);
  EXPECT_GT(json::parse(ran.out)["mb_per_second"].get<double>(), 0);
}

TEST(Bench, FingerprintOfAFile) {
  const Folder folder;
  const std::string input =
      folder.write("c.jsonl", "{\"text\":\"one two three\"}\n{\"text\":\"four five six seven\"}\n");
  const Ran ran = run({"bench", "fingerprint", input, "--threads", "1", "--json"});
  expect_measurement(ran, "fingerprint", 2);
  EXPECT_EQ(json::parse(ran.out)["bytes_per_item"], 16);
}

TEST(Bench, Join) {
  const Ran ran = run({"bench", "join", "--count", "20k", "--distance", "2", "--threads", "1", "--json"});
  expect_measurement(ran, "join", 20000);
  EXPECT_EQ(json::parse(ran.out)["distance"], 2);
}

TEST(Bench, TextForPeopleIsOneLine) {
  const Ran ran = run({"bench", "join", "--count", "1000"});
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1);
  EXPECT_EQ(run({"bench", "join", "x.jsonl"}).exit, kExitUsage);
  EXPECT_EQ(run({"bench", "fingerprint", "--count", "10", "--recipe", "grams"}).exit, 0);
}

TEST(BenchTexts, AreTheSameEverywhere) {
  const std::string text = make_text(1, 60);
  EXPECT_EQ(text, make_text(1, 60));
  EXPECT_NE(text, make_text(2, 60));
  EXPECT_GE(text.size(), 60u);
  EXPECT_LT(text.size(), 80u);
}

}  // namespace
}  // namespace neardup::cli
