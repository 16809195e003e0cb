// When a run doubts its bar: by tokens alone, and by whole runs.
#include "neardup/engine/write/similarity_doubts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "neardup/engine/run/dedup.h"
#include "neardup/token/numbers.h"

namespace neardup::engine {
namespace {

using Tokens = std::vector<uint32_t>;

uint32_t word(uint32_t i) { return token::marked_hash(2654435761U * (i + 1), false); }
uint32_t number(uint32_t i) { return token::marked_hash(2246822519U * (i + 1), true); }

Tokens words(uint32_t first, uint32_t count) {
  Tokens tokens;
  for (uint32_t i = 0; i < count; ++i) tokens.push_back(word(first + i));
  return tokens;
}

Tokens joined(Tokens a, const Tokens& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(DifferByNumbers, WhereTheyAreMostOfWhatDiffers) {
  const Tokens frame = words(0, 30);
  Tokens a = frame, b = frame;
  for (uint32_t i = 0; i < 2; ++i) a.push_back(number(i)), b.push_back(number(10 + i));
  EXPECT_TRUE(differ_by_numbers(a, b));
  EXPECT_FALSE(differ_by_numbers(a, a));
  EXPECT_FALSE(differ_by_numbers(joined(a, words(100, 4)), b)) << "half is not most";
  EXPECT_FALSE(differ_by_numbers(joined(frame, {number(1)}), joined(frame, {number(2)}))) << "a date line";
  std::ranges::reverse(a);
  Tokens same = a;
  std::ranges::sort(same);
  EXPECT_FALSE(differ_by_numbers(a, same)) << "the order does not count";
}

TEST(Differences, AFrameIsWhatAllShareAndTheRestTheirOwn) {
  const Tokens frame = words(0, 60), kept = joined(frame, words(1000, 20));
  std::vector<Tokens> removed;
  for (uint32_t i = 0; i < 12; ++i) removed.push_back(joined(frame, words(2000 + 100 * i, 20)));
  const Differences filled_in = differences(kept, removed);
  EXPECT_NEAR(filled_in.own, 20.0 / 78, 0.01);
  EXPECT_DOUBLE_EQ(filled_in.frame, 1);
  EXPECT_EQ(filled_in.num_by_numbers, 0U);

  for (Tokens& tokens : removed) tokens = joined(frame, words(2000, 20));
  EXPECT_DOUBLE_EQ(differences(kept, removed).own, 0) << "copies of each other";
  for (uint32_t i = 0; i < 12; ++i) removed[i] = words(5 * i, 40);
  EXPECT_LT(differences(words(0, 100), removed).frame, 0.7) << "parts of the kept one, each another";
  EXPECT_EQ(differences({}, {}).num_documents, 0U);
}

class Run : public ::testing::Test {
 protected:
  Run() { std::filesystem::create_directories(root_); }
  ~Run() override { std::filesystem::remove_all(root_); }

  // The warnings of dedup about `count` documents.
  std::vector<std::string> warnings(int count, const std::function<std::string(int)>& text, verify::Rule::Kind kind,
                                    FamilyChoice family = FamilyChoice::kAuto) const {
    std::ofstream input(root_ + "/in.jsonl");
    for (int i = 0; i < count; ++i)
      input << nlohmann::json{{"id", fmt::format("it's {}", i)}, {"text", text(i)}}.dump() << "\n";
    input.close();
    DedupOptions options;
    options.inputs = {root_ + "/in.jsonl"};
    options.output = root_ + "/out";
    options.verify.kind = kind;
    options.family = family;
    if (family == FamilyChoice::kSimHash) options.recipe = *recipe::find_recipe("default");
    options.overwrite = true;
    const auto report = dedup(options, {});
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report ? report->warnings : std::vector<std::string>();
  }

  const std::string root_ =
      (std::filesystem::temp_directory_path() / fmt::format("neardup-doubts-{}", ::getpid())).string();
};

std::string numbered(const char* stem, int from, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += fmt::format("{}{} ", stem, from + i);
  return out;
}

TEST_F(Run, WarnsOfAFrameThatOriginTakesForOneText) {
  const auto page = [](int i) { return numbered("frame", 0, 120) + numbered("own", 1000 * (i + 1), 75); };
  const std::vector<std::string> found = warnings(40, page, verify::Rule::Kind::kOrigin);
  ASSERT_EQ(found.size(), 2U) << fmt::format("{}", found.size());
  EXPECT_NE(found[0].find(" near-duplicates (100 %) are less than 0.06 above the 0.40"), std::string::npos) << found[0];
  EXPECT_NE(found[1].find("One frame makes many pairs: the members of cluster 0 ("), std::string::npos) << found[1];
  EXPECT_NE(found[1].find("--verify origin 'it'\\''s 0' 'it'\\''s "), std::string::npos) << found[1];
}

TEST_F(Run, WarnsOfTablesThatDifferInNumbers) {
  const auto table = [](int i) {
    std::string out = numbered("frame", 0, 100);
    for (int n = 0; n < 6; ++n) out += fmt::format("{} sold {} left ", "item", 100 * i + n);
    return out;
  };
  const std::vector<std::string> found = warnings(30, table, verify::Rule::Kind::kOrigin);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("differ from the kept document mostly in numbers"), std::string::npos) << found[0];
  EXPECT_EQ(found[0].find(" --distance "), std::string::npos) << found[0];
}

TEST_F(Run, CommandsCarryTheDistanceThatTheRunChose) {
  const auto table = [](int i) {
    std::string out = numbered("frame", 0, 300);
    for (int n = 0; n < 4; ++n) out += fmt::format("{} sold {} left ", "item", 100 * i + n);
    return out;
  };
  const std::vector<std::string> found = warnings(30, table, verify::Rule::Kind::kOrigin, FamilyChoice::kSimHash);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].find(" --distance 13 --verify origin "), std::string::npos) << found[0];
}

TEST_F(Run, IsQuietAboutReprints) {
  const auto reprint = [](int i) {
    return numbered("site", 10 * i, 6) + numbered("text", 1000 * (i / 4), 150) + numbered("more", 10 * i, 6);
  };
  for (const auto kind : {verify::Rule::Kind::kOrigin, verify::Rule::Kind::kContent})
    EXPECT_EQ(warnings(80, reprint, kind), std::vector<std::string>());
}

}  // namespace
}  // namespace neardup::engine
