// The worked examples of the SimHash papers, and what is wrong with other files.
#include "neardup/explain/worked_example.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

const std::string kExamples = std::string(NEARDUP_TEST_DATA) + "/../../examples/worked/";

TEST(WorkedExample, Vectors) {
  const Ran ran = run({"explain", "--features", kExamples + "vectors.json", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find(R"("counters":[-4,-2,6],"fingerprint":"001"})"), std::string::npos) << ran.out;
}

TEST(WorkedExample, Hashes) {
  const Ran ran = run({"explain", "--features", kExamples + "hashes.json", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find(R"("counters":[4,-4,-4,4,-4,4]})"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(R"("counters":[9,-9,1,-1,1,9],"fingerprint":"101011"})"), std::string::npos) << ran.out;
}

TEST(WorkedExample, TextShowsTheRunningCounters) {
  const auto example =
      explain::parse_worked_example(R"({"bits":2,"features":[{"hash":"10","weight":1.5},{"hash":"01"}]})");
  ASSERT_TRUE(example.has_value());
  EXPECT_EQ(explain::worked_text(*example),
            "feature        weight  hash counters so far\n"
            "w1                1.5  10      1.5   -1.5\n"
            "w2                  1  01      0.5   -0.5\n"
            "\nfingerprint 10\n");
}

TEST(WorkedExample, NoFeaturesGiveZeros) {
  const auto example = explain::parse_worked_example(R"({"bits":3,"features":[]})");
  ASSERT_TRUE(example.has_value());
  EXPECT_NE(explain::worked_text(*example).find("fingerprint 000"), std::string::npos);
  EXPECT_EQ(explain::worked_json(*example), "{\"features\":[],\"counters\":[0,0,0],\"fingerprint\":\"000\"}\n");
}

TEST(WorkedExample, FaultsAreNamed) {
  const auto error_of = [](const char* json) {
    const auto example = explain::parse_worked_example(json);
    return example ? "accepted" : example.error().message;
  };
  EXPECT_EQ(error_of("["), "expected a JSON object with \"bits\" and an array \"features\"");
  EXPECT_EQ(error_of(R"({"features":[]})"), "expected \"bits\", 1 to 1024");
  EXPECT_EQ(error_of(R"({"bits":0,"features":[]})"), "expected \"bits\", 1 to 1024");
  EXPECT_EQ(error_of(R"({"bits":3,"features":[7]})"), "feature 1: expected an object");
  EXPECT_EQ(error_of(R"({"bits":3,"features":[{"name":"x","hash":"10"}]})"),
            "feature x: expected \"hash\" of 3 digits 0 and 1, or \"signs\" of 3 numbers 1 and -1");
  EXPECT_EQ(error_of(R"({"bits":2,"features":[{"signs":[1,0]}]})"),
            "feature w1: expected \"hash\" of 2 digits 0 and 1, or \"signs\" of 2 numbers 1 and -1");
  EXPECT_EQ(error_of(R"({"bits":2,"features":[{"hash":"10","weight":"1"}]})"),
            "feature w1: expected a number as weight");
}

RC_GTEST_PROP(WorkedExample, AnyBytes, ()) {
  std::string json = R"({"bits":2,"features":[{"name":"a","hash":"10","weight":1e9},{"signs":[1,-1],"weight":-2}]})";
  for (int edits = *rc::gen::inRange(0, 6); edits > 0; --edits) {
    json[*rc::gen::inRange<size_t>(0, json.size())] =
        *rc::gen::element('"', '{', '}', '[', ']', ',', '9', '-', 'e', '\xff');
  }
  const auto example = explain::parse_worked_example(json);
  if (example) RC_ASSERT(explain::worked_json(*example).ends_with("}\n"));
}

}  // namespace
}  // namespace neardup::cli
