#include <gtest/gtest.h>

#include <cmath>

#include "neardup/evaluate/advice.h"
#include "neardup/report/evaluation_page.h"
#include "neardup/report/line_chart.h"
#include "tests/unit/report/page_check.h"

namespace neardup::report {
namespace {

evaluate::Evaluation sample() {
  evaluate::Evaluation evaluation;
  evaluation.recipe_name = "<b>mine</b>";
  evaluation.num_documents = 5000;
  evaluation.num_same = 1000;
  evaluation.levels = {0, 3};
  evaluation.rules = {"none", "origin", "jaccard:0.5", "jaccard:0.8"};
  evaluation.num_candidates = {400, 12345};
  evaluation.spreads.resize(2);
  evaluation.spreads[0] = {400, 390, {.5F, .6F, .7F, .8F, .9F}, {.25F, .5F, .75F, .9F, 1}};
  evaluation.cells = {{400, 9, 0.5},    {390, 0, 0.5},   {380, 0, 0.5}, {300, 0, 0.5},
                      {820, 700, 0.25}, {800, 0, 0.875}, {700, 0, 0.5}, {400, 0, 0.5}};
  evaluation.standard = {0, 1};
  return evaluation;
}

TEST(EvaluationPage, IsWholeAndSafe) {
  evaluate::Evaluation evaluation = sample();
  evaluation.is_judged = evaluation.is_graded = true;
  evaluation.strata = {"<i>far</i>", "near"};
  evaluation.slices = {{0, 0, false, 90, {9, 0, 0, 0, 80, 2, 0, 0}}, {2, 1, true, 70, {9, 8, 7, 6, 60, 50, 0, 0}}};
  const evaluate::Findings found = evaluate::findings(evaluation, 0);
  const std::string page = evaluation_html(evaluation, found, evaluate::advice(evaluation, found, 0));
  EXPECT_EQ(check_page(page).error, "");
  EXPECT_EQ(page.find("<b>mine</b>"), std::string::npos);
  EXPECT_EQ(page.find("://"), std::string::npos);
  EXPECT_NE(page.find("--distance 3 --verify origin"), std::string::npos);
  EXPECT_NE(page.find("12,345"), std::string::npos);
  EXPECT_EQ(page.find("<i>far</i>"), std::string::npos);
  EXPECT_NE(page.find("<td>0.714<br><small>0.599"), std::string::npos);  // 50 of 70
}

TEST(LineChart, LeavesGapsAndSpeaks) {
  const double gap = std::nan("");
  const std::string figure = line_chart({.title = "A & B",
                                         .axis = "k",
                                         .labels = {"1", "2", "3"},
                                         .curves = {{"up", "a", {0, gap, 1}}},
                                         .bands = {{"b", {0, gap, 0.5}, {1, gap, 1}}},
                                         .marked = 1});
  EXPECT_EQ(check_page("<!DOCTYPE html>\n" + figure).error, "");
  EXPECT_NE(figure.find("aria-label=\"A &amp; B. up: 1 0.000, 3 1.000."), std::string::npos) << figure;
  EXPECT_EQ(figure.find("nan"), std::string::npos);
  size_t dots = 0;
  for (size_t at = 0; (at = figure.find("<circle", at)) != std::string::npos; ++at) ++dots;
  EXPECT_EQ(dots, 2U);
}

TEST(LineChart, PutsValuesWhereTheyBelong) {
  const std::string figure =
      line_chart({.title = "", .axis = "", .labels = {"1", "2"}, .curves = {{"up", "a", {0.5, 1}}}, .lowest = 0.5});
  EXPECT_NE(figure.find("points=\"34.0,224.0 406.0,8.0 \""), std::string::npos) << figure;
}

}  // namespace
}  // namespace neardup::report
