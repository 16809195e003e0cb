#include "neardup/cli/evaluate_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "neardup/base/sizes.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

using evaluate::Evaluation;
using evaluate::Findings;
using evaluate::Setting;

constexpr std::string_view kShownThresholds[] = {"jaccard:0.3", "jaccard:0.5", "jaccard:0.6",
                                                 "jaccard:0.7", "jaccard:0.8", "jaccard:0.9"};

size_t column_width(const std::string& rule) { return std::max(rule.size(), size_t{11}); }

std::string per_document(const Evaluation& evaluation, size_t level) {
  return fmt::format("{:.2f}", static_cast<double>(evaluation.num_candidates[level]) /
                                   static_cast<double>(std::max<uint64_t>(1, evaluation.num_documents)));
}

// Of the rules that are one similarity at many thresholds only some, and those that matter.
std::vector<size_t> shown_rules(const Evaluation& evaluation, const Findings& found) {
  std::vector<size_t> shown;
  for (size_t rule = 0; rule < evaluation.rules.size(); ++rule) {
    const std::string& name = evaluation.rules[rule];
    const auto is_of_rule = [rule](const evaluate::NamedSetting& named) { return named.setting.rule == rule; };
    if (!name.starts_with("jaccard:") || std::ranges::find(kShownThresholds, name) != std::end(kShownThresholds) ||
        std::ranges::any_of(found.named, is_of_rule))
      shown.push_back(rule);
  }
  return shown;
}

void append_f1_table(std::string& out, const Evaluation& evaluation, const Findings& found) {
  const auto rules = shown_rules(evaluation, found);
  out += fmt::format("\nF1 by {} and --verify; * is recommended\n{:>8} {:>14}", level_noun(evaluation),
                     level_noun(evaluation), "candidates/doc");
  for (const size_t rule : rules)
    out += fmt::format(" {:>{}}", evaluation.rules[rule], column_width(evaluation.rules[rule]));
  out += '\n';
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    out += fmt::format("{:>8} {:>14}", evaluation.levels[level], per_document(evaluation, level));
    for (const size_t rule : rules) {
      const Setting setting{level, rule};
      out += fmt::format(" {:>{}}", (setting == found.best ? "*" : "") + figure_text(evaluation.f1(setting)),
                         column_width(evaluation.rules[rule]));
    }
    out += '\n';
  }
}

void append_rule_table(std::string& out, const Evaluation& evaluation, const Setting& best) {
  out +=
      fmt::format("\nWith --verify {}, and the similarity (Jaccard of word 5-grams) of candidates at exactly this {}\n",
                  evaluation.rules[best.rule], evaluation.is_minhash ? "band" : "distance");
  const bool judged = evaluation.is_judged;  // there are no clusters to agree with then, but pairs nobody judged
  out += fmt::format("{:>8} {:>10} {:>10} {:>9} {:>7} {:>7} {:>8}   {:>6} {:>6} {:>6}\n", level_noun(evaluation),
                     judged ? "judged" : "found", "right", "precision", "recall", "F1", judged ? "unjudged" : "Rand",
                     "5 %", "median", "95 %");
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    const Setting setting{level, best.rule};
    const evaluate::Cell& cell = evaluation.cell(setting);
    const evaluate::SimilaritySpread& spread = evaluation.spreads[level];
    out += fmt::format(
        "{:>8} {:>10} {:>10} {:>9} {:>7} {:>7} {:>8}", evaluation.levels[level], human_count(cell.right + cell.wrong),
        human_count(cell.right), figure_text(evaluation.precision(setting)), figure_text(evaluation.recall(setting)),
        figure_text(evaluation.f1(setting)), judged ? human_count(cell.unjudged) : figure_text(cell.ari));
    const auto similarity = [&](size_t i) {
      return spread.count == 0 ? "-" : fmt::format("{:.2f}", spread.jaccard5[i]);
    };
    out += fmt::format("   {:>6} {:>6} {:>6}\n", similarity(0), similarity(2), similarity(4));
  }
}

std::string labels_text(const Evaluation& evaluation) {
  const std::string same = report::counted(evaluation.num_same, "duplicate pair");
  if (!evaluation.is_judged)
    return fmt::format("{} by the labels ({} labelled)", same, report::counted(evaluation.num_labelled, "document"));
  return fmt::format("{}: {} duplicates{} and {} others{}",
                     report::counted(evaluation.num_same + evaluation.num_different, "judged pair"),
                     human_count(evaluation.num_same),
                     evaluation.is_graded ? fmt::format(" (label {} or more)", evaluation.duplicate_from) : "",
                     human_count(evaluation.num_different), evaluation.is_weighted ? "; weighted" : "");
}

std::string headline(const Evaluation& evaluation) {
  return fmt::format("{}, {}, recipe {} ({})\n", report::counted(evaluation.num_documents, "document"),
                     labels_text(evaluation), evaluation.recipe_name, evaluation.recipe_id);
}

}  // namespace

std::string figure_text(double value) {
  if (std::isnan(value)) return "-";
  return value == 1 ? "1" : fmt::format("{:.3f}", std::min(value, 0.9994)).substr(1);
}

std::string evaluation_text(const Evaluation& evaluation, const Findings& found,
                            const std::vector<std::string>& advice) {
  std::string out = headline(evaluation);
  append_f1_table(out, evaluation, found);
  append_rule_table(out, evaluation, found.best);
  out += evaluation_figures(evaluation, found) + '\n';
  for (const std::string& line : advice) out += line + '\n';
  return out;
}

}  // namespace neardup::cli
