#include "neardup/evaluate/advice.h"

#include <fmt/format.h>

#include <cmath>

namespace neardup::evaluate {
namespace {

constexpr uint64_t kFewPairs = 500;

// What is measured but never recommended: a few false candidates of a larger corpus chain its clusters together.
constexpr std::string_view kUnverified = "none";

double or_zero(double value) { return std::isnan(value) ? 0 : value; }

std::string share_text(double share) {
  if (std::isnan(share) || share == 0) return "none";
  if (share == 1) return "all";
  const double percent = share * 100;
  if (percent >= 99.95) return "> 99.9 %";
  if (percent < 0.05) return "< 0.1 %";
  return fmt::format("{:.1f} %", percent);
}

// Whether `a` is better advice than `b`: a total order, so that it does not matter which are compared first.
bool is_better(const Evaluation& evaluation, const Setting& a, const Setting& b) {
  const double difference = or_zero(evaluation.f1(a)) - or_zero(evaluation.f1(b));
  if (difference != 0) return difference > 0;
  const size_t usual = evaluation.standard.rule;
  if ((a.rule == usual) != (b.rule == usual)) return a.rule == usual;
  return a.level != b.level ? a.level < b.level : a.rule < b.rule;
}

bool is_precise(const Evaluation& evaluation, const Setting& setting, double least_precision) {
  return or_zero(evaluation.precision(setting)) >= least_precision;
}

// How far a share of `count` may be off by chance: half of its 95 % interval (Agresti and Coull 1998, which holds for
// shares of 0 and 1, too).
double half_interval(double share, uint64_t count) {
  const double n = static_cast<double>(count) + 4;
  const double middle = (share * static_cast<double>(count) + 2) / n;
  return 1.96 * std::sqrt(middle * (1 - middle) / n);
}

std::string what_it_does(const Evaluation& evaluation, const Setting& setting) {
  const std::string wrong =
      evaluation.cell(setting).wrong == 0 ? "none" : share_text(1 - evaluation.precision(setting));
  return fmt::format("F1 {:.3f}: it finds {} of the duplicate pairs, and {} of the pairs that it finds are wrong",
                     or_zero(evaluation.f1(setting)), share_text(evaluation.recall(setting)), wrong);
}

void warn(const Evaluation& evaluation, const Setting& best, std::vector<std::string>& lines) {
  const double recall = or_zero(evaluation.recall(best));
  if (evaluation.num_same < kFewPairs) {
    lines.push_back(
        fmt::format("With {} duplicate pairs a recall of {:.3f} is known to about +-{:.3f}: smaller "
                    "differences between settings are chance.",
                    evaluation.num_same, recall, half_interval(recall, evaluation.num_same)));
  }
  if (evaluation.is_judged && evaluation.num_different == 0)
    lines.emplace_back("No label says of a pair that it is no duplicate, so precision says nothing here.");
  if (evaluation.is_judged)
    lines.emplace_back("Only the judged pairs count: what a setting accepts beyond them is not known.");
  if (!evaluation.is_minhash && evaluation.levels[best.level] > evaluation.levels[evaluation.standard.level]) {
    lines.emplace_back(
        "A wider distance costs candidates that grow with the number of documents: at 100 times as many "
        "take two or three bits less, as --distance auto does.");
  }
}

}  // namespace

Setting best_setting(const Evaluation& evaluation, double least_precision) {
  const Setting standard = evaluation.standard;
  Setting best = standard;
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    for (size_t rule = 0; rule < evaluation.rules.size(); ++rule) {
      const Setting setting{level, rule};
      if (evaluation.rules[rule] == kUnverified) continue;
      const bool precise = is_precise(evaluation, setting, least_precision);
      const bool best_is_precise = is_precise(evaluation, best, least_precision);
      const bool better = precise != best_is_precise ? precise
                          : precise                  ? is_better(evaluation, setting, best)
                                    : or_zero(evaluation.precision(setting)) > or_zero(evaluation.precision(best));
      if (better) best = setting;
    }
  }
  const double gain = or_zero(evaluation.f1(best)) - or_zero(evaluation.f1(standard));
  return is_precise(evaluation, standard, least_precision) && gain < kSmallDifference ? standard : best;
}

std::string setting_text(const Evaluation& evaluation, const Setting& setting) {
  const int level = evaluation.levels[setting.level];
  const std::string& rule = evaluation.rules[setting.rule];
  return evaluation.is_minhash ? fmt::format("--verify {}, {} bands", rule, level)
                               : fmt::format("--distance {} --verify {}", level, rule);
}

std::string setting_command(const Evaluation& evaluation, const Setting& setting) {
  const int level = evaluation.levels[setting.level];
  const std::string& name = evaluation.recipe_name;
  std::string before, recipe = name == "default" ? "" : " --recipe " + name;
  if (evaluation.is_minhash && setting.level != evaluation.standard.level) {
    before = fmt::format("neardup recipes {} | sed 's/\"bands\": *[0-9]*/\"bands\": {}/' > mine.json && ", name, level);
    recipe = " --recipe mine.json";
  }
  return fmt::format("{}neardup dedup INPUT -o DIR{} {} --verify {}", before, recipe,
                     evaluation.is_minhash ? "--family minhash" : fmt::format("--family simhash --distance {}", level),
                     evaluation.rules[setting.rule]);
}

std::vector<std::string> advice(const Evaluation& evaluation, double least_precision) {
  std::vector<std::string> lines;
  if (evaluation.num_same == 0) return {"The labels name no duplicate pair: there is nothing to measure recall by."};
  const Setting best = best_setting(evaluation, least_precision);
  lines.push_back(
      fmt::format("Recommended here: {} ({}).", setting_text(evaluation, best), what_it_does(evaluation, best)));
  if (or_zero(evaluation.precision(best)) < least_precision)
    lines.push_back(fmt::format("No setting reaches a precision of {}; this one comes nearest.", least_precision));
  if (best == evaluation.standard) {
    lines.emplace_back("That is what dedup does by itself at this size.");
  } else {
    lines.push_back(fmt::format("By itself dedup takes {} here ({}).", setting_text(evaluation, evaluation.standard),
                                what_it_does(evaluation, evaluation.standard)));
  }
  warn(evaluation, best, lines);
  lines.push_back("To take it, with the other flags given here: " + setting_command(evaluation, best));
  return lines;
}

}  // namespace neardup::evaluate
