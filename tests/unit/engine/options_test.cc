// What can be asked for and what not, each refusal with its code; families that are shown and kept.
#include "neardup/engine/options.h"

#include <gtest/gtest.h>

#include "neardup/engine/chosen_families.h"
#include "neardup/engine/output_names.h"
#include "neardup/engine/work_folder.h"
#include "neardup/fingerprint/value.h"

namespace neardup::engine {
namespace {

TEST(OptionWords, AreThoseOfTheCommandLine) {
  EXPECT_EQ(to_string(Mode::kRemove), "remove");
  EXPECT_EQ(to_string(Mode::kAnnotate), "annotate");
  EXPECT_EQ(to_string(Mode::kIds), "ids");
  EXPECT_EQ(to_string(ClusterKind::kStar), "star");
  EXPECT_EQ(to_string(ClusterKind::kComponents), "components");
}

TEST(CheckDistance, FromNoneToTheLargest) {
  DedupOptions options;
  EXPECT_TRUE(check_distance(options)) << "none is auto";
  for (int distance = -3; distance <= fingerprint::kMaxDistance + 3; ++distance) {
    options.distance = distance;
    const Status checked = check_distance(options);
    ASSERT_EQ(checked.has_value(), distance >= 0 && distance <= fingerprint::kMaxDistance) << distance;
    EXPECT_TRUE(checked || checked.error().code == Code::kInvalidArgument);
  }
}

struct RuleCase {
  const char* name;
  const char* rule;
  const char* recipe;
  bool templates;
  const char* refusal;  // part of the message; empty: it is taken
};

class CheckRule : public ::testing::TestWithParam<RuleCase> {};

TEST_P(CheckRule, AgainstTheRecipe) {
  verify::Rule rule = *verify::rule_from_string(GetParam().rule);
  rule.templates = GetParam().templates;
  recipe::Recipe recipe = *recipe::find_recipe(GetParam().recipe);
  if (std::string_view(GetParam().name).ends_with("masked")) recipe.mask = {"dates", "numbers"};
  const Status checked = check_rule(rule, recipe);
  ASSERT_EQ(checked.has_value(), std::string_view(GetParam().refusal).empty());
  if (checked) return;
  EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
  EXPECT_NE(checked.error().message.find(GetParam().refusal), std::string::npos) << checked.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Each, CheckRule,
    ::testing::Values(RuleCase{"content", "content", "default", false, ""},
                      RuleCase{"none_of_code", "none", "code", false, ""}, RuleCase{"code", "code", "code", false, ""},
                      RuleCase{"code_of_words", "code", "default", false, "take --recipe code"},
                      RuleCase{"content_of_code", "content", "code", false, "take --verify code, or another recipe"},
                      RuleCase{"templates", "origin", "default", true, ""},
                      RuleCase{"templates_of_code", "origin", "code", true, "leave one of them out"},
                      RuleCase{"templates_of_jaccard", "jaccard:0.8", "default", true, "add --verify origin"},
                      RuleCase{"templates_masked", "origin", "default", true, "mask=numbers takes them out"},
                      RuleCase{"origin_masked", "origin", "default", false, ""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(CheckCommonness, GoesWithContentAlone) {
  DedupOptions options;
  EXPECT_TRUE(check_commonness(options));
  options.commonness_file = "counts.bin";
  EXPECT_TRUE(check_commonness(options));
  for (const char* rule : {"origin", "none", "jaccard:0.5"}) {
    options.verify = *verify::rule_from_string(rule);
    const Status checked = check_commonness(options);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
    EXPECT_NE(checked.error().message.find(rule), std::string::npos);
    options.commonness_file.clear();
    EXPECT_TRUE(check_commonness(options));
    options.commonness_file = "counts.bin";
  }
}

TEST(SettleRule, TakesCodeForCodeUnlessOneIsGiven) {
  using Kind = verify::Rule::Kind;
  DedupOptions options;
  settle_rule(options);
  EXPECT_EQ(options.verify.kind, Kind::kContent);
  options.recipe = *recipe::find_recipe("code");
  DedupOptions given = options, other = options;
  settle_rule(options);
  EXPECT_EQ(options.verify.kind, Kind::kCode);
  given.verify_is_given = true;
  settle_rule(given);
  EXPECT_EQ(given.verify.kind, Kind::kContent);
  other.verify = *verify::rule_from_string("none");
  settle_rule(other);
  EXPECT_EQ(other.verify.kind, Kind::kNone);
}

TEST(BatchThreads, AreAtLeastOneAndNoMoreThanAskedFor) {
  DedupOptions options;
  for (const uint64_t memory : {kSmallestMemory, uint64_t{1} << 30, uint64_t{64} << 30}) {
    int before = 1 << 30;
    options.memory_bytes = memory;
    for (const uint64_t longest : {uint64_t{0}, uint64_t{1} << 20, uint64_t{1} << 26, uint64_t{1} << 40}) {
      options.num_threads = 12;
      const int threads = num_batch_threads(options, MemoryUse::kBatches, longest);
      EXPECT_GE(threads, 1);
      EXPECT_LE(threads, 12);
      EXPECT_LE(threads, before) << "longer records leave room for fewer";
      before = threads;
    }
  }
  options.num_threads = 1;
  EXPECT_EQ(num_batch_threads(options), 1);
}

struct FamilyCase {
  const char* name;
  const char* recipe;
  FamilyChoice choice;
  bool simhash, minhash;
};

class ShownFamiliesOf : public ::testing::TestWithParam<FamilyCase> {};

TEST_P(ShownFamiliesOf, ARecipeAreThoseAskedFor) {
  const auto shown = shown_families(*recipe::find_recipe(GetParam().recipe), GetParam().choice);
  ASSERT_EQ(shown.has_value(), GetParam().simhash || GetParam().minhash);
  if (!shown) {
    EXPECT_EQ(shown.error().code, Code::kInvalidArgument);
    return;
  }
  EXPECT_EQ(shown->simhash, GetParam().simhash);
  EXPECT_EQ(shown->minhash, GetParam().minhash);
}

INSTANTIATE_TEST_SUITE_P(
    Each, ShownFamiliesOf,
    ::testing::Values(FamilyCase{"default_auto", "default", FamilyChoice::kAuto, true, true},
                      FamilyCase{"default_simhash", "default", FamilyChoice::kSimHash, true, false},
                      FamilyCase{"default_minhash", "default", FamilyChoice::kMinHash, false, true},
                      FamilyCase{"minhash_auto", "minhash", FamilyChoice::kAuto, false, true},
                      FamilyCase{"minhash_simhash", "minhash", FamilyChoice::kSimHash, false, false},
                      FamilyCase{"paper_simhash", "paper", FamilyChoice::kSimHash, true, false}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(KeptFamily, IsTheChoiceOrTheRecipes) {
  using recipe::Family;
  const auto kept = [](const char* name, std::optional<FamilyChoice> choice, bool has_idf_file) {
    recipe::Recipe recipe = *recipe::find_recipe(name);
    EXPECT_TRUE(take_kept_family(choice, has_idf_file, recipe));
    return recipe.family;
  };
  EXPECT_EQ(kept("default", {}, false), Family::kSimHash) << "what the recipe says where it has both";
  EXPECT_EQ(kept("default", FamilyChoice::kAuto, false), Family::kMinHash) << "what dedup takes";
  EXPECT_EQ(kept("default", FamilyChoice::kAuto, true), Family::kSimHash) << "an IDF is of no use to signatures";
  EXPECT_EQ(kept("default", FamilyChoice::kMinHash, false), Family::kMinHash);
  EXPECT_EQ(kept("minhash", {}, false), Family::kMinHash);
  recipe::Recipe signatures = *recipe::find_recipe("minhash");
  const Status taken = take_kept_family(FamilyChoice::kSimHash, false, signatures);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, Code::kInvalidArgument);
}

TEST(OutputNames, AreEachOneAndThoseOfTheDocuments) {
  const std::vector<std::string>& names = output_names();
  for (const char* name : {"kept", "annotated", "kept_ids.txt", "duplicates.jsonl", "clusters.jsonl", "pairs.jsonl",
                           "rejected.jsonl", "commonness.bin", "report.json", "report.html"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

TEST(WorkFolderPaths, LieInTheHiddenFolder) {
  const WorkFolder folder("out");
  EXPECT_EQ(folder.root(), "out/.neardup");
  EXPECT_EQ(folder.part(2, 7), "out/.neardup/part-2-of-7");
  for (const std::string& path : {folder.run_json(), folder.idf(), folder.outcome(), folder.scratch(),
                                  folder.stdin_copy(), folder.staged(), folder.part(0, 1)})
    EXPECT_TRUE(path.starts_with("out/.neardup/")) << path;
}

}  // namespace
}  // namespace neardup::engine
