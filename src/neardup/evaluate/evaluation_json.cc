#include "neardup/evaluate/evaluation_json.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "neardup/base/json.h"

namespace neardup::evaluate {
namespace {

void append_member(std::string& out, std::string_view name, double value) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
  append_json_number(out, value);
}

void append_setting(std::string& out, const Evaluation& evaluation, const Setting& setting) {
  const Cell& cell = evaluation.cell(setting);
  out += fmt::format("{{\"{}\":{},\"verify\":", level_noun(evaluation), evaluation.levels[setting.level]);
  append_json_string(out, evaluation.rules[setting.rule]);
  out += fmt::format(",\"found\":{},\"right\":{}", cell.right + cell.wrong, cell.right);
  append_member(out, "precision", evaluation.precision(setting));
  append_member(out, "recall", evaluation.recall(setting));
  append_member(out, "f1", evaluation.f1(setting));
  append_member(out, "ari", cell.ari);
  if (evaluation.is_judged) out += fmt::format(",\"unjudged\":{}", cell.unjudged);
  out += '}';
}

void append_percentiles(std::string& out, std::string_view name, const std::array<float, 5>& values) {
  out += fmt::format(",\"{}\":{{", name);
  for (size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}\"p{}\":{:.3f}", i == 0 ? "" : ",", kSpreadPercentiles[i], values[i]);
  out += '}';
}

void append_levels(std::string& out, const Evaluation& evaluation) {
  out += ",\"levels\":[";
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    const SimilaritySpread& spread = evaluation.spreads[level];
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

void append_interval(std::string& out, const Interval& interval) {
  out += '[';
  append_json_number(out, interval.low);
  out += ',';
  append_json_number(out, interval.high);
  out += ']';
}

void append_figure(std::string& out, std::string_view name, const Figure& figure) {
  out += fmt::format(",\"{}\":{{\"value\":", name);
  append_json_number(out, figure.value);
  if (figure.interval) {
    out += ",\"interval\":";
    append_interval(out, *figure.interval);
  }
  out += '}';
}

void append_difference(std::string& out, std::string_view name, const Difference& difference) {
  append_figure(out, name, {difference.value, difference.interval});
}

void append_named(std::string& out, const Evaluation& evaluation, const NamedSetting& named) {
  out += fmt::format("{{\"role\":\"{}\",\"{}\":{},\"verify\":", named.role, level_noun(evaluation),
                     evaluation.levels[named.setting.level]);
  append_json_string(out, evaluation.rules[named.setting.rule]);
  append_figure(out, "precision", named.precision);
  append_figure(out, "recall", named.recall);
  append_figure(out, "f1", named.f1);
  out += '}';
}

void append_compared(std::string& out, const NamedComparison& compared) {
  const Comparison& result = compared.result;
  out += fmt::format("{{\"a\":{},\"b\":{}", compared.a, compared.b);
  append_difference(out, "precision", result.precision);
  append_difference(out, "recall", result.recall);
  append_difference(out, "f1", result.f1);
  out += fmt::format(",\"different_units\":{},\"settings_tried\":{},\"more_than_chance\":{}}}", result.num_different,
                     result.num_tried, result.is_beyond_chance);
}

void append_part(std::string& out, std::string_view key, const JudgedPart& part) {
  out += fmt::format("{{\"{}\":", key);
  append_json_string(out, part.name);
  out += fmt::format(",\"pairs\":{},\"duplicate_pairs\":{},\"found\":[", part.pairs, part.same);
  for (size_t i = 0; i < part.found.size(); ++i)
    out += fmt::format("{}{{\"right\":{},\"wrong\":{}}}", i == 0 ? "" : ",", part.found[i].right, part.found[i].wrong);
  out += "]}";
}

template <class Items, class Append>
void append_list(std::string& out, std::string_view name, const Items& items, Append&& append) {
  out += fmt::format(",\"{}\":[", name);
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ',';
    first = false;
    append(item);
  }
  out += ']';
}

// The settings that matter; comparisons and parts count them from 0.
void append_figures(std::string& out, const Evaluation& evaluation, const Findings& found) {
  append_list(out, "figures", found.named, [&](const auto& named) { append_named(out, evaluation, named); });
  append_list(out, "comparisons", found.compared, [&](const auto& compared) { append_compared(out, compared); });
  append_list(out, "labels", found.grades, [&](const auto& part) { append_part(out, "label", part); });
  append_list(out, "strata", found.strata, [&](const auto& part) { append_part(out, "stratum", part); });
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation, const Findings& found,
                            const std::vector<std::string>& advice) {
  std::string out = "{\"recipe\":";
  append_json_string(out, evaluation.recipe_name);
  out += fmt::format(
      ",\"recipe_id\":\"{}\",\"family\":\"{}\",\"documents\":{},\"rejected\":{},\"labelled\":{},"
      "\"duplicate_pairs\":{},\"judged_only\":{}",
      evaluation.recipe_id, evaluation.is_minhash ? "minhash" : "simhash", evaluation.num_documents,
      evaluation.num_rejected, evaluation.num_labelled, evaluation.num_same, evaluation.is_judged);
  if (evaluation.is_judged)
    out += fmt::format(",\"other_pairs\":{},\"duplicate_from\":{},\"weighted\":{}", evaluation.num_different,
                       evaluation.duplicate_from, evaluation.is_weighted);
  append_levels(out, evaluation);
  out += ",\"settings\":[";
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    for (size_t rule = 0; rule < evaluation.rules.size(); ++rule) {
      if (level + rule > 0) out += ',';
      append_setting(out, evaluation, {level, rule});
    }
  }
  out += ']';
  append_figures(out, evaluation, found);
  out += ",\"standard\":";
  append_setting(out, evaluation, evaluation.standard);
  out += ",\"recommended\":";
  append_setting(out, evaluation, found.best);
  out += ",\"advice\":[";
  bool first = true;
  for (const std::string& line : advice) {
    if (!first) out += ',';
    first = false;
    append_json_string(out, line);
  }
  return out + "]}\n";
}

}  // namespace neardup::evaluate
