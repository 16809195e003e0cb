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

// Whether `a` is better advice than `b`.
bool is_better(const Evaluation& evaluation, const Setting& a, const Setting& b) {
  const double difference = or_zero(evaluation.f1(a)) - or_zero(evaluation.f1(b));
  if (std::abs(difference) >= kSmallDifference) return difference > 0;
  if ((a == evaluation.standard) != (b == evaluation.standard)) return a == evaluation.standard;
  const size_t usual = evaluation.standard.rule;
  if ((a.rule == usual) != (b.rule == usual)) return a.rule == usual;
  return a.level != b.level ? a.level < b.level : a.rule < b.rule;
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
  if (evaluation.is_minhash && best.level != evaluation.standard.level) {
    lines.emplace_back(
        "The number of bands stands in the recipe: save one with neardup recipes NAME > mine.json, change "
        "\"bands\", and give it with --recipe mine.json.");
  }
  if (!evaluation.is_minhash && evaluation.levels[best.level] > evaluation.levels[evaluation.standard.level]) {
    lines.emplace_back(
        "A wider distance costs candidates that grow with the number of documents: at 100 times as many "
        "take two or three bits less, as --distance auto does.");
  }
}

}  // namespace

Setting best_setting(const Evaluation& evaluation, double least_precision) {
  Setting best = evaluation.standard;
  bool best_is_precise = or_zero(evaluation.precision(best)) >= least_precision;
  for (size_t level = 0; level < evaluation.levels.size(); ++level) {
    for (size_t rule = 0; rule < evaluation.rules.size(); ++rule) {
      const Setting setting{level, rule};
      if (evaluation.rules[rule] == kUnverified) continue;
      const bool is_precise = or_zero(evaluation.precision(setting)) >= least_precision;
      const bool better = is_precise != best_is_precise ? is_precise
                          : is_precise                  ? is_better(evaluation, setting, best)
                                       : or_zero(evaluation.precision(setting)) > or_zero(evaluation.precision(best));
      if (!better) continue;
      best = setting;
      best_is_precise = is_precise;
    }
  }
  return best;
}

std::string setting_text(const Evaluation& evaluation, const Setting& setting) {
  const int level = evaluation.levels[setting.level];
  const std::string& rule = evaluation.rules[setting.rule];
  return evaluation.is_minhash ? fmt::format("--verify {}, {} bands", rule, level)
                               : fmt::format("--distance {} --verify {}", level, rule);
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
  return lines;
}

}  // namespace neardup::evaluate
