#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/sizes.h"
#include "neardup/cli/evaluate_output.h"
#include "neardup/evaluate/advice.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

using evaluate::Evaluation;
using evaluate::Findings;
using evaluate::FoundOf;
using evaluate::Interval;
using evaluate::JudgedPart;

// ".812 (.740-.868)".
std::string with_interval(double value, const Interval& interval) {
  if (std::isnan(value)) return "-";
  return fmt::format("{} ({}-{})", figure_text(value), figure_text(interval.low), figure_text(interval.high));
}

// Cells of a row, each as wide as its column; the last one as wide as it is.
std::string row(const std::vector<std::pair<std::string, size_t>>& cells) {
  std::string line;
  for (const auto& [text, width] : cells) line += fmt::format("{:<{}}  ", text, width);
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

std::string share_text(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return with_interval(static_cast<double>(part) / static_cast<double>(whole), evaluate::share_interval(part, whole));
}

// "+.174 (+.101 to +.240)".
std::string difference_text(const evaluate::Difference& difference) {
  const auto text = [](double value) { return fmt::format("{:+.3f}", value); };
  return fmt::format("{} ({} to {})", text(difference.value), text(difference.interval.low),
                     text(difference.interval.high));
}

constexpr size_t kWidth = 16;  // of a share with its interval

char setting_letter(size_t setting) { return static_cast<char>('A' + setting % 26); }

size_t longest_setting(const Evaluation& evaluation, const Findings& found) {
  size_t longest = 10;
  for (const auto& named : found.named)
    longest = std::max(longest, evaluate::setting_text(evaluation, named.setting).size());
  return longest;
}

void append_settings(std::string& out, const Evaluation& evaluation, const Findings& found) {
  const size_t width = longest_setting(evaluation, found);
  const auto text = [](const evaluate::Figure& figure) {
    return figure.interval ? with_interval(figure.value, *figure.interval) : figure_text(figure.value);
  };
  out += "\nIn figures, with 95 % intervals\n";
  out += row({{"", 1}, {"setting", width}, {"precision", kWidth}, {"recall", kWidth}, {"F1", kWidth}, {"why", 0}});
  for (size_t i = 0; i < found.named.size(); ++i) {
    const evaluate::NamedSetting& named = found.named[i];
    out += row({{std::string(1, setting_letter(i)), 1},
                {evaluate::setting_text(evaluation, named.setting), width},
                {text(named.precision), kWidth},
                {text(named.recall), kWidth},
                {text(named.f1), kWidth},
                {named.role, 0}});
  }
}

void append_differences(std::string& out, const Findings& found) {
  if (found.compared.empty()) return;
  constexpr size_t kDifference = 26;
  out += '\n' + row({{"", 5}, {"precision", kDifference}, {"recall", kDifference}, {"F1", 0}});
  for (const evaluate::NamedComparison& each : found.compared)
    out += row({{fmt::format("{} - {}", setting_letter(each.a), setting_letter(each.b)), 5},
                {difference_text(each.result.precision), kDifference},
                {difference_text(each.result.recall), kDifference},
                {difference_text(each.result.f1), kDifference},
                {std::string(evaluate::chance_text(each.result)), 0}});
}

// One row for each part, one column for each setting.
template <class Cell>
void append_parts(std::string& out, std::string_view title, std::string_view noun, std::span<const JudgedPart> parts,
                  size_t num_settings, size_t column, Cell&& cell) {
  size_t width = noun.size();
  for (const JudgedPart& part : parts) width = std::max(width, part.name.size());
  const auto line = [&](const std::string& name, const std::string& judged, const std::string& same, auto&& cell_of) {
    std::vector<std::pair<std::string, size_t>> cells = {
        {name, width}, {fmt::format("{:>8}", judged), 8}, {fmt::format("{:>10}", same), 10}};
    for (size_t i = 0; i < num_settings; ++i) cells.emplace_back(cell_of(i), column);
    out += row(cells);
  };
  out += fmt::format("\n{}\n", title);
  line(std::string(noun), "judged", "duplicates", [](size_t i) { return std::string(1, setting_letter(i)); });
  for (const JudgedPart& part : parts)
    line(part.name.empty() ? "(none)" : part.name, human_count(part.pairs), human_count(part.same),
         [&](size_t i) { return cell(part, part.found[i]); });
}

}  // namespace

std::string evaluation_figures(const Evaluation& evaluation, const Findings& found) {
  std::string out;
  append_settings(out, evaluation, found);
  append_differences(out, found);
  const size_t settings = found.named.size();
  const auto accepted = [](const JudgedPart& part, const FoundOf& at) {
    return fmt::format("{:>6}  {}", human_count(at.right + at.wrong), share_text(at.right + at.wrong, part.pairs));
  };
  const auto precision = [](const JudgedPart&, const FoundOf& at) { return share_text(at.right, at.right + at.wrong); };
  const auto recall = [](const JudgedPart& part, const FoundOf& at) { return share_text(at.right, part.same); };
  if (evaluation.is_graded && !found.grades.empty())
    append_parts(out, "Found of the judged pairs of each label, and their share", "label", found.grades, settings,
                 kWidth + 8, accepted);
  if (found.strata.empty()) return out;
  append_parts(out, "Precision, by stratum", "stratum", found.strata, settings, kWidth, precision);
  append_parts(out, "Recall, by stratum", "stratum", found.strata, settings, kWidth, recall);
  return out;
}

}  // namespace neardup::cli
