#include "neardup/evaluate/advice.h"

#include <fmt/format.h>

#include <cmath>

namespace neardup::evaluate {
namespace {

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

std::string what_it_does(const Evaluation& evaluation, const Setting& setting) {
  const std::string wrong =
      evaluation.cell(setting).wrong == 0 ? "none" : share_text(1 - evaluation.precision(setting));
  return fmt::format("F1 {:.3f}: it finds {} of the duplicate pairs, and {} of the pairs that it finds are wrong",
                     or_zero(evaluation.f1(setting)), share_text(evaluation.recall(setting)), wrong);
}

// "F1 is higher by 0.174 (0.101 to 0.240 at 95 %)".
std::string by_how_much(const Difference& f1) {
  const bool higher = f1.value >= 0;
  const Interval& at = f1.interval;
  return fmt::format("F1 is {} by {:.3f} ({:.3f} to {:.3f} at 95 %)", higher ? "higher" : "lower", std::abs(f1.value),
                     higher ? at.low : -at.high, higher ? at.high : -at.low);
}

std::string verdict_text(const Evaluation& evaluation, const Comparison& compared) {
  const char* units = evaluation.is_judged ? "judged pairs" : "clusters";
  if (compared.num_different == 0) return fmt::format("no difference in any of the {}", units);
  const std::string begin = by_how_much(compared.f1);
  if (compared.num_different < kLeastDifferent)
    return fmt::format("{}, but they differ in only {} of the {}: it may be chance", begin, compared.num_different,
                       units);
  if (compared.num_tried == 1)
    return fmt::format("{}, {} than chance", begin, compared.is_beyond_chance ? "more" : "no more");
  return compared.is_beyond_chance
             ? fmt::format("{}, more than chance, even for the best of {} settings tried", begin, compared.num_tried)
             : fmt::format("{}, no more than chance, as it is the best of {} settings tried: more labels would tell",
                           begin, compared.num_tried);
}

void compare(const Evaluation& evaluation, const Findings& found, std::vector<std::string>& lines) {
  for (const NamedComparison& each : found.compared) {
    const std::string a = setting_text(evaluation, found.named[each.a].setting);
    const std::string b = setting_text(evaluation, found.named[each.b].setting);
    lines.push_back(fmt::format("{} against {}: {}.", a, b, verdict_text(evaluation, each.result)));
  }
}

void warn_of_judgements(const Evaluation& evaluation, const Setting& best, std::vector<std::string>& lines) {
  if (evaluation.num_different == 0)
    lines.emplace_back("No label says of a pair that it is no duplicate, so precision says nothing here.");
  lines.push_back(
      fmt::format("Only judged pairs count: of {} more that the recommended setting finds, nothing is known.",
                  evaluation.cell(best).unjudged));
  const uint64_t pairs = evaluation.num_same + evaluation.num_different;
  if (evaluation.num_labelled > 0 && pairs > 2 * evaluation.num_labelled)
    lines.push_back(
        fmt::format("A document stands in {} judged pairs on average: such pairs go together, and the intervals, which "
                    "take each for itself, are too narrow.",
                    2 * pairs / evaluation.num_labelled));
}

void warn(const Evaluation& evaluation, const Setting& best, std::vector<std::string>& lines) {
  if (evaluation.is_judged) warn_of_judgements(evaluation, best, lines);
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
      if (!is_recommendable(evaluation, setting)) continue;
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

bool is_recommendable(const Evaluation& evaluation, const Setting& setting) {
  return evaluation.rules[setting.rule] != kUnverified;
}

std::string setting_text(const Evaluation& evaluation, const Setting& setting) {
  const int level = evaluation.levels[setting.level];
  const std::string& rule = evaluation.rules[setting.rule];
  return fmt::format("--{} {} --verify {}", evaluation.is_minhash ? "bands" : "distance", level, rule);
}

std::string setting_command(const Evaluation& evaluation, const Setting& setting) {
  const std::string& name = evaluation.recipe_name;
  const bool is_named = name != "default" && name != "custom";  // a custom one comes from the other flags
  return fmt::format("neardup dedup INPUT -o DIR{} {}", is_named ? " --recipe " + name : "",
                     setting_text(evaluation, setting));
}

std::vector<std::string> advice(const Evaluation& evaluation, const Findings& found, double least_precision) {
  std::vector<std::string> lines;
  if (evaluation.num_same == 0) return {"The labels name no duplicate pair: there is nothing to measure recall by."};
  const Setting best = found.best;
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
  compare(evaluation, found, lines);
  warn(evaluation, best, lines);
  lines.push_back("To take it, with the other flags given here: " + setting_command(evaluation, best));
  return lines;
}

}  // namespace neardup::evaluate
