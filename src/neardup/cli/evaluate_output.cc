#include "neardup/cli/evaluate_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "neardup/base/json.h"
#include "neardup/evaluate/advice.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

using evaluate::Evaluation;
using evaluate::Setting;

constexpr std::string_view kShownRules[] = {"none",        "origin",      "origin --templates",
                                            "jaccard:0.3", "jaccard:0.5", "jaccard:0.6",
                                            "jaccard:0.7", "jaccard:0.8", "jaccard:0.9"};

size_t column_width(const std::string& rule) { return std::max(rule.size(), size_t{11}); }

std::string figure(double value) {
  if (std::isnan(value)) return "-";
  return value == 1 ? "1" : fmt::format("{:.3f}", std::min(value, 0.9994)).substr(1);
}

std::string level_noun(const Evaluation& evaluation) { return evaluation.is_minhash ? "bands" : "distance"; }

std::string per_document(const Evaluation& evaluation, size_t level) {
  return fmt::format("{:.2f}", static_cast<double>(evaluation.num_candidates[level]) /
                                   static_cast<double>(std::max<uint64_t>(1, evaluation.num_documents)));
}

std::vector<size_t> shown_rules(const Evaluation& evaluation) {
  std::vector<size_t> shown;
  for (size_t rule = 0; rule < evaluation.rules.size(); ++rule)
    if (std::ranges::find(kShownRules, evaluation.rules[rule]) != std::end(kShownRules)) shown.push_back(rule);
  return shown;
}

void append_f1_table(std::string& out, const Evaluation& evaluation, const Setting& best) {
  const auto rules = shown_rules(evaluation);
  out += fmt::format("\nF1 by {} and --verify\n{:>8} {:>14}", level_noun(evaluation), level_noun(evaluation),
                     "candidates/doc");
  for (const size_t rule : rules)
    out += fmt::format(" {:>{}}", evaluation.rules[rule], column_width(evaluation.rules[rule]));
  out += '\n';
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    out += fmt::format("{:>8} {:>14}", evaluation.levels[level], per_document(evaluation, level));
    for (const size_t rule : rules) {
      const Setting setting{level, rule};
      out += fmt::format(" {:>{}}", (setting == best ? "*" : "") + figure(evaluation.f1(setting)),
                         column_width(evaluation.rules[rule]));
    }
    out += '\n';
  }
}

void append_rule_table(std::string& out, const Evaluation& evaluation, const Setting& best) {
  out +=
      fmt::format("\nWith --verify {}, and the similarity (Jaccard of word 5-grams) of candidates at exactly this {}\n",
                  evaluation.rules[best.rule], evaluation.is_minhash ? "band" : "distance");
  out += fmt::format("{:>8} {:>10} {:>10} {:>9} {:>7} {:>7} {:>7}   {:>6} {:>6} {:>6}\n", level_noun(evaluation),
                     "found", "right", "precision", "recall", "F1", "Rand", "5 %", "median", "95 %");
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    const Setting setting{level, best.rule};
    const evaluate::Cell& cell = evaluation.cell(setting);
    const evaluate::SimilaritySpread& spread = evaluation.spreads[level];
    out += fmt::format("{:>8} {:>10} {:>10} {:>9} {:>7} {:>7} {:>7}", evaluation.levels[level],
                       report::thousands(cell.right + cell.wrong), report::thousands(cell.right),
                       figure(evaluation.precision(setting)), figure(evaluation.recall(setting)),
                       figure(evaluation.f1(setting)), figure(cell.ari));
    const auto similarity = [&](size_t i) {
      return spread.count == 0 ? "-" : fmt::format("{:.2f}", spread.jaccard5[i]);
    };
    out += fmt::format("   {:>6} {:>6} {:>6}\n", similarity(0), similarity(2), similarity(4));
  }
}

void append_member(std::string& out, std::string_view name, double value) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
  append_json_number(out, value);
}

void append_setting(std::string& out, const Evaluation& evaluation, const Setting& setting) {
  const evaluate::Cell& cell = evaluation.cell(setting);
  out += fmt::format("{{\"{}\":{},\"verify\":", level_noun(evaluation), evaluation.levels[setting.level]);
  append_json_string(out, evaluation.rules[setting.rule]);
  out += fmt::format(",\"found\":{},\"right\":{}", cell.right + cell.wrong, cell.right);
  append_member(out, "precision", evaluation.precision(setting));
  append_member(out, "recall", evaluation.recall(setting));
  append_member(out, "f1", evaluation.f1(setting));
  append_member(out, "ari", cell.ari);
  out += '}';
}

void append_percentiles(std::string& out, std::string_view name, const std::array<float, 5>& values) {
  out += fmt::format(",\"{}\":{{", name);
  for (size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}\"p{}\":{:.3f}", i == 0 ? "" : ",", evaluate::kSpreadPercentiles[i], values[i]);
  out += '}';
}

void append_levels(std::string& out, const Evaluation& evaluation) {
  out += ",\"levels\":[";
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    const evaluate::SimilaritySpread& spread = evaluation.spreads[level];
    out += fmt::format("{}{{\"{}\":{},\"candidates\":{},\"at_level\":{},\"duplicates_at_level\":{}",
                       level == 0 ? "" : ",", level_noun(evaluation), evaluation.levels[level],
                       evaluation.num_candidates[level], spread.count, spread.same);
    if (spread.count > 0) {
      append_percentiles(out, "jaccard3", spread.jaccard3);
      append_percentiles(out, "jaccard5", spread.jaccard5);
    }
    out += '}';
  }
  out += ']';
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation, double least_precision) {
  std::string out = fmt::format(
      "{}, {} by the labels ({} labelled), recipe {} ({})\n", report::counted(evaluation.num_documents, "document"),
      report::counted(evaluation.num_same, "duplicate pair"), report::counted(evaluation.num_labelled, "document"),
      evaluation.recipe_name, evaluation.recipe_id);
  const Setting best = evaluate::best_setting(evaluation, least_precision);
  append_f1_table(out, evaluation, best);
  append_rule_table(out, evaluation, best);
  out += '\n';
  for (const std::string& line : evaluate::advice(evaluation, least_precision)) out += line + '\n';
  return out;
}

std::string evaluation_json(const Evaluation& evaluation, double least_precision) {
  std::string out = "{\"recipe\":";
  append_json_string(out, evaluation.recipe_name);
  out += fmt::format(
      ",\"recipe_id\":\"{}\",\"family\":\"{}\",\"documents\":{},\"rejected\":{},\"labelled\":{},"
      "\"duplicate_pairs\":{},\"judged_only\":{}",
      evaluation.recipe_id, evaluation.is_minhash ? "minhash" : "simhash", evaluation.num_documents,
      evaluation.num_rejected, evaluation.num_labelled, evaluation.num_same, evaluation.is_judged);
  if (evaluation.is_judged) out += fmt::format(",\"other_pairs\":{}", evaluation.num_different);
  append_levels(out, evaluation);
  out += ",\"settings\":[";
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    for (size_t rule = 0; rule < evaluation.rules.size(); ++rule) {
      if (level + rule > 0) out += ',';
      append_setting(out, evaluation, {level, rule});
    }
  }
  out += "],\"standard\":";
  append_setting(out, evaluation, evaluation.standard);
  out += ",\"recommended\":";
  append_setting(out, evaluation, evaluate::best_setting(evaluation, least_precision));
  out += ",\"advice\":[";
  bool first = true;
  for (const std::string& line : evaluate::advice(evaluation, least_precision)) {
    if (!first) out += ',';
    first = false;
    append_json_string(out, line);
  }
  return out + "]}\n";
}

}  // namespace neardup::cli
