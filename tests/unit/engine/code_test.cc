// Source code: comments and layout do not count, names count for little, and the frame of an exercise not at all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include "neardup/base/json.h"
#include "neardup/engine/match/pair_decision.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/run/dedup.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/verify/code_rule.h"
#include "neardup/verify/common_code.h"

namespace neardup::engine {
namespace {

constexpr const char* kProgram = R"(
int count(const int* values, int size, int least) {
  int found = 0;
  for (int i = 0; i < size; ++i) {
    if (values[i] >= least) { found += 1; }
  }
  if (found > 100) { printf("%d found", found); return 100; }
  while (found < 7 && size > 0) { found = found * 2 + size; --size; }
  return found;
}
)";
constexpr const char* kRenamed = R"(
/* Copyright: me. All rights and more. */
int howMany(const int* array, int length, int bound)
{
  int n = 0;  // so far
  for (int index = 0; index < length; ++index) {
    // this is what is asked
    if (array[index] >= bound) { n += 1; }
  }
  if (n > 250) { printf("there are %d", n); return 250; }
  while (n < 9 && length > 0) { n = n * 3 + length; --length; }
  return n;
}
)";
constexpr const char* kOther = R"(
class Stack:
    def __init__(self, limit=10):
        self.items = []
        self.limit = limit
    def push(self, item):
        if len(self.items) >= self.limit:
            raise ValueError("full: %s" % item)
        self.items.append(item)
)";

DedupOptions options_for_code() {
  DedupOptions options;
  options.recipe = *recipe::find_recipe("code");
  settle_rule(options);
  return options;
}

PairDecision decide(const std::string& a, const std::string& b) {
  const DedupOptions options = options_for_code();
  auto fingerprinter = *recipe::Fingerprinter::create(options.recipe, nullptr);
  recipe::TextFingerprint fingerprints[2];
  fingerprinter.fingerprint(a, fingerprints[0]);
  fingerprinter.fingerprint(b, fingerprints[1]);
  return *decide_pair(fingerprints[0], fingerprints[1], options);
}

TEST(Code, ARenamedCopyGoesAndAnotherProgramStays) {
  EXPECT_EQ(options_for_code().verify.kind, verify::Rule::Kind::kCode);
  EXPECT_TRUE(decide(kProgram, kRenamed).is_removed);
  EXPECT_FALSE(decide(kProgram, kOther).is_removed);
  EXPECT_EQ(decide(kProgram, std::string("// one more\n") + kProgram).verdict.similarity, 1.0F);
}

TEST(Code, TheRuleIsTheRecipesUnlessOneIsGiven) {
  DedupOptions options;
  options.recipe = *recipe::find_recipe("code");
  options.verify_is_given = true;
  settle_rule(options);
  EXPECT_EQ(options.verify.kind, verify::Rule().kind);
  options.verify_is_given = false;
  options.verify = {verify::Rule::Kind::kJaccard, 0.7};
  settle_rule(options);
  EXPECT_EQ(options.verify.kind, verify::Rule::Kind::kJaccard);
  options.recipe = *recipe::find_recipe("default");
  EXPECT_FALSE(check_rule({verify::Rule::Kind::kCode}, options.recipe));
}

// `size` statements with names of its own.
std::string statements(std::mt19937& random, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) {
    const auto name = [&random] { return "v" + std::to_string(random() % 100000); };
    const std::string shapes[] = {" = f(" + name() + ");\n", " += " + name() + " * 2;\n",
                                  ".g(" + name() + ", " + name() + ");\n", " = " + name() + "[" + name() + "] - 1;\n"};
    text += name() + shapes[random() % 4];
  }
  return text;
}

// Returns the ids that dedup removes of `texts`, called 0, 1, ...
std::set<std::string> removed_of(const std::vector<std::string>& texts) {
  const auto folder = std::filesystem::temp_directory_path() / ("neardup_code_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream out(folder / "in.jsonl");
    for (size_t i = 0; i < texts.size(); ++i) {
      std::string json;
      append_json_string(json, texts[i]);
      out << R"({"id":")" << i << R"(","text":)" << json << "}\n";
    }
  }
  DedupOptions options = options_for_code();
  options.inputs = {(folder / "in.jsonl").string()};
  options.output = (folder / "out").string();
  const auto report = dedup(options, {});
  EXPECT_TRUE(report) << report.error().message;
  std::set<std::string> ids;
  std::ifstream in(folder / "out/duplicates.jsonl");
  for (std::string line; std::getline(in, line);) ids.insert(line.substr(7, line.find('"', 7) - 7));
  std::filesystem::remove_all(folder);
  return ids;
}

TEST(Code, AFrameThatAllShareMakesNoDuplicates) {
  std::mt19937 random(2);
  const std::string frame = statements(random, 60);
  std::vector<std::string> texts;
  for (int i = 0; i < 80; ++i) texts.push_back(frame + statements(random, 30));
  std::string copy = texts[7];
  copy.insert(copy.size() / 2, statements(random, 5));
  texts.push_back(copy);
  EXPECT_EQ(removed_of(texts), std::set<std::string>{"80"});
}

struct Signed {
  std::vector<uint32_t> set;  // of its code n-grams
  std::vector<uint16_t> values;
};

Signed signed_of(const std::string& text) {
  auto fingerprinter = *recipe::Fingerprinter::create(options_for_code().recipe, nullptr);
  recipe::TextFingerprint text_fingerprint;
  fingerprinter.fingerprint(text, text_fingerprint);
  return {verify::make_code_set(text_fingerprint.tokens).hashes, text_fingerprint.signature};
}

double jaccard_without(const Signed& a, const Signed& b, const std::vector<uint32_t>& common) {
  const auto one = verify::without_common(a.set, common), other = verify::without_common(b.set, common);
  std::vector<uint32_t> both;
  std::ranges::set_intersection(one, other, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(one.size() + other.size() - both.size());
}

int num_equal(const Signed& a, const Signed& b) {
  int equal = 0;
  for (size_t i = 0; i < a.values.size(); ++i) equal += a.values[i] == b.values[i] ? 1 : 0;
  return equal;
}

TEST(Code, TheSketchBoundHoldsWhereBothHaveTheFrameOrNoneAndNotWhereOneHasIt) {
  const DedupOptions options = options_for_code();
  const int bound = sketch_bound(options.verify, options.recipe);
  ASSERT_GT(bound, 0);
  std::mt19937 random(11);
  const std::string frame = statements(random, 300);
  const std::vector<uint32_t> common = signed_of(frame).set;
  int num_similar = 0, num_dismissed = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string shared = statements(random, 30);
    const std::string one = statements(random, 20) + shared, other = shared + statements(random, 20);
    for (const std::string& before : {std::string(), frame}) {
      const Signed a = signed_of(before + one), b = signed_of(before + other);
      if (jaccard_without(a, b, common) < verify::kReusedCode) continue;
      ++num_similar;
      EXPECT_GE(num_equal(a, b), bound);
    }
    const Signed a = signed_of(frame + one), b = signed_of(other);
    num_dismissed += jaccard_without(a, b, common) >= verify::kReusedCode && num_equal(a, b) < bound ? 1 : 0;
  }
  EXPECT_GT(num_similar, 80);
  EXPECT_GT(num_dismissed, 10);
}

}  // namespace
}  // namespace neardup::engine
