#include "neardup/evaluate/advice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "neardup/evaluate/findings.h"

namespace neardup::evaluate {
namespace {

// 1,000 true pairs; distances 0, 3 and 8; the standard is distance 3 with origin.
Evaluation sample() {
  Evaluation evaluation;
  evaluation.num_documents = 5000;
  evaluation.num_same = 1000;
  evaluation.levels = {0, 3, 8};
  evaluation.rules = {"none", "origin"};
  evaluation.num_candidates = {400, 900, 3000};
  evaluation.spreads.resize(3);
  evaluation.cells = {{400, 0, 0}, {390, 0, 0}, {820, 30, 0}, {800, 0, 0}, {970, 2000, 0}, {950, 10, 0}};
  evaluation.standard = {1, 1};
  return evaluation;
}

std::vector<std::string> advice(const Evaluation& evaluation, double least_precision) {
  return advice(evaluation, findings(evaluation, least_precision), least_precision);
}

bool says(const std::vector<std::string>& lines, const std::string& words) {
  for (const std::string& line : lines)
    if (line.find(words) != std::string::npos) return true;
  return false;
}

TEST(Evaluation, SharesFollowFromCounts) {
  const Evaluation evaluation = sample();
  EXPECT_DOUBLE_EQ(evaluation.precision({1, 0}), 820.0 / 850);
  EXPECT_DOUBLE_EQ(evaluation.recall({1, 0}), 0.82);
  EXPECT_DOUBLE_EQ(evaluation.f1({1, 0}), 2 * 820.0 / (850 + 1000));
  EXPECT_TRUE(std::isnan(measure(Measure::kF1, {0, 0, 0})));
  EXPECT_EQ(measure(Measure::kF1, {0, 5, 0}), 0);
  Evaluation empty = sample();
  empty.cells[0] = {};
  EXPECT_TRUE(std::isnan(empty.precision({0, 0})));
  EXPECT_EQ(empty.f1({0, 0}), 0);
}

TEST(Advice, TakesTheBestF1) {
  const Evaluation evaluation = sample();
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{2, 1}));
  const auto lines = advice(evaluation, 0);
  EXPECT_TRUE(says(lines, "Recommended here: --distance 8 --verify origin (F1 0.969: it finds 95.0 % of"));
  EXPECT_TRUE(says(lines, "1.0 % of the pairs that it finds are wrong"));
  EXPECT_TRUE(says(lines, "By itself dedup takes --distance 3 --verify origin here (F1 0.889"));
  EXPECT_TRUE(says(lines, "none of the pairs that it finds are wrong"));
  EXPECT_TRUE(says(lines, "A wider distance costs candidates"));
}

TEST(Advice, NeverLeavesCandidatesUnverified) {
  Evaluation evaluation = sample();
  evaluation.cells[4] = {1000, 0, 0};
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{2, 1}));
}

TEST(Advice, KeepsToTheLeastPrecision) {
  EXPECT_EQ(best_setting(sample(), 0.995), (Setting{1, 1}));
  EXPECT_TRUE(says(advice(sample(), 0.995), "That is what dedup does by itself"));
  Evaluation rough = sample();
  for (Cell& cell : rough.cells) cell.wrong += 100;
  EXPECT_EQ(best_setting(rough, 0.99), (Setting{2, 1}));  // 950 of 1060, the nearest
  EXPECT_TRUE(says(advice(rough, 0.99), "No setting reaches a precision of 0.99"));
}

TEST(Advice, StaysWithTheStandardWhereTheDifferenceIsSmall) {
  Evaluation evaluation = sample();
  evaluation.cells[5] = {801, 0, 0};
  EXPECT_EQ(best_setting(evaluation, 0), evaluation.standard);
  evaluation.cells[5] = {804, 0, 0};  // .0025 above
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{2, 1}));
}

// A row of settings, each a little better than the one before: the first is not as good as the last.
TEST(Advice, ManySmallDifferencesMakeALargeOne) {
  Evaluation evaluation = sample();
  evaluation.levels = {1, 2, 3, 4, 5, 6};
  evaluation.num_candidates = {1, 2, 3, 4, 5, 6};
  evaluation.rules = {"none", "origin", "jaccard:0.2"};
  evaluation.cells.clear();
  for (uint64_t level = 0; level < 6; ++level) {
    const uint64_t right = 900 + 2 * level;  // steps of .001 in F1
    evaluation.cells.insert(evaluation.cells.end(), {{right, 0, 0}, {right, 0, 0}, {right + 1, 0, 0}});
  }
  evaluation.standard = {0, 1};
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{5, 2}));
  evaluation.standard = {5, 1};  // half a step below the best
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{5, 1}));
  evaluation.standard = {3, 1};
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{5, 2})) << "never one that is neither the best nor the standard";
}

TEST(Advice, OfEqualSettingsTakesTheUsualRuleAndTheFewestCandidates) {
  Evaluation evaluation = sample();
  evaluation.rules = {"jaccard:0.2", "origin"};
  evaluation.cells = {{950, 0, 0}, {950, 0, 0}, {700, 0, 0}, {700, 0, 0}, {950, 0, 0}, {950, 0, 0}};
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{0, 1}));
}

TEST(Advice, EndsWithACommand) {
  Evaluation evaluation = sample();
  evaluation.recipe_name = "default";
  EXPECT_EQ(setting_command(evaluation, {2, 1}), "neardup dedup INPUT -o DIR --distance 8 --verify origin");
  EXPECT_TRUE(advice(evaluation, 0).back().ends_with(setting_command(evaluation, {2, 1})));
  evaluation.is_minhash = true;
  EXPECT_EQ(setting_command(evaluation, evaluation.standard), "neardup dedup INPUT -o DIR --bands 3 --verify origin");
  evaluation.recipe_name = "jieba";
  EXPECT_EQ(setting_command(evaluation, {2, 1}), "neardup dedup INPUT -o DIR --recipe jieba --bands 8 --verify origin");
  evaluation.recipe_name = "custom";  // made by other flags, which are to be given again
  EXPECT_EQ(setting_command(evaluation, {2, 1}), "neardup dedup INPUT -o DIR --bands 8 --verify origin");
}

TEST(Advice, WarnsOfJudgements) {
  Evaluation evaluation = sample();
  evaluation.num_same = 100;
  evaluation.is_judged = true;
  for (Cell& cell : evaluation.cells) cell = {cell.right / 10, cell.wrong / 10};
  evaluation.num_labelled = 60;
  evaluation.cells[5].unjudged = 77;
  EXPECT_TRUE(says(advice(evaluation, 0), "precision says nothing"));
  evaluation.num_different = 1;
  EXPECT_FALSE(says(advice(evaluation, 0), "precision says nothing"));
  EXPECT_TRUE(says(advice(evaluation, 0), "Only judged pairs count: of 77 more"));
  EXPECT_FALSE(says(advice(evaluation, 0), "A document stands in"));
  evaluation.num_same = 240;
  EXPECT_TRUE(says(advice(evaluation, 0), "A document stands in 8 judged pairs on average"));
  evaluation.num_same = 0;
  EXPECT_TRUE(says(advice(evaluation, 0), "no duplicate pair"));
}

// 2 x 100 judged duplicates, of which setting {1, 1} finds `standard` and {2, 1} `widest`: one sample for all settings.
Evaluation judged(uint32_t standard, uint32_t widest) {
  Evaluation evaluation = sample();
  evaluation.is_judged = true;
  evaluation.num_same = 200;
  evaluation.num_different = evaluation.num_labelled = 200;
  const uint32_t size = 200;
  evaluation.sample = Sample(std::span(&size, 1), 6);
  evaluation.cells.assign(6, {});
  for (const auto& [setting, found] : {std::pair<size_t, uint32_t>(3, standard), {5, widest}}) {
    evaluation.cells[setting].right = found;
    for (uint32_t unit = 0; unit < found; ++unit) evaluation.sample.add(unit, setting, 1, 0);
  }
  for (uint32_t unit = 0; unit < size; ++unit) evaluation.sample.add_same(unit, 1);
  return evaluation;
}

TEST(Advice, SaysWhatIsMoreThanChance) {
  const auto lines = advice(judged(120, 170), 0);
  EXPECT_TRUE(
      says(lines, "--distance 8 --verify origin against --distance 3 --verify origin: F1 is higher by 0.169 ("));
  EXPECT_TRUE(says(lines, "more than chance, even for the best of 3 settings tried"));
}

TEST(Advice, StaysAtTheUsualLevelWhereAnotherIsNoBetter) {
  const Evaluation evaluation = judged(120, 124);
  EXPECT_EQ(best_setting(evaluation, 0), (Setting{2, 1}));
  EXPECT_EQ(findings(evaluation, 0).best, (Setting{1, 1}));
  Evaluation asked = evaluation;
  asked.asked = {{2, 1}, {1, 1}};
  const Findings found = findings(asked, 0);
  ASSERT_EQ(found.named.size(), 2U);
  EXPECT_EQ(found.named[0].role, "recommended, standard, asked for");
  ASSERT_EQ(found.compared.size(), 1U);
  EXPECT_TRUE(says(advice(asked, 0), "but they differ in only 4 of the judged pairs: it may be chance"));
  asked.asked = {{0, 1}, {0, 0}};
  EXPECT_TRUE(says(advice(asked, 0), "--distance 0 --verify none against --distance 0 --verify origin: no difference"));
}

TEST(Advice, SpeaksOfBandsForMinHash) {
  Evaluation evaluation = sample();
  evaluation.is_minhash = true;
  EXPECT_EQ(setting_text(evaluation, {2, 0}), "--bands 8 --verify none");
  EXPECT_FALSE(says(advice(evaluation, 0), "wider distance"));
  EXPECT_TRUE(says(advice(evaluation, 0), " --bands 8 --verify origin"));
}

}  // namespace
}  // namespace neardup::evaluate
