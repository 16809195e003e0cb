#include "neardup/report/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "neardup/base/sizes.h"
#include "neardup/evaluate/advice.h"
#include "neardup/report/escape.h"
#include "neardup/report/line_chart.h"
#include "neardup/report/numbers.h"
#include "neardup/report/page.h"

namespace neardup::report {
namespace {

using evaluate::Evaluation;
using evaluate::Setting;

constexpr std::string_view kStyle = R"css(
.pair-of-charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 30px 44px; }
.wide-table { overflow-x: auto; }
.wide-table th, .wide-table td { padding: .4em .35em; font-size: .76rem; }
.wide-table th:first-child { width: auto; white-space: nowrap; overflow-wrap: normal; }
td.best { outline: 2px solid var(--kept); outline-offset: -2px; border-radius: 4px; font-weight: 650; }
td.heat { background: color-mix(in srgb, var(--kept) calc(var(--heat) * 1%), transparent); }
.tiles.four { grid-template-columns: repeat(4, 1fr); }
.advice li { margin: .35em 0; max-width: 80ch; }
.advice li:first-child { font-weight: 600; }
@media (max-width: 860px) { .pair-of-charts { grid-template-columns: minmax(0, 1fr); } .tiles.four { grid-template-columns: repeat(2, 1fr); } }
)css";

std::string figure(double value) { return std::isnan(value) ? "\u2013" : fmt::format("{:.3f}", value); }

std::vector<std::string> level_labels(const Evaluation& evaluation) {
  std::vector<std::string> labels;
  for (const int level : evaluation.levels) labels.push_back(std::to_string(level));
  return labels;
}

class Page {
 public:
  Page(const Evaluation& evaluation, const evaluate::Findings& found, const std::vector<std::string>& advice)
      : evaluation_(evaluation), found_(found), best_(found.best), advice_(advice) {}

  std::string paint() {
    out_ = page_head(fmt::format("neardup evaluate: {}, {}", counted(evaluation_.num_documents, "document"),
                                 counted(evaluation_.num_same, "duplicate pair")),
                     std::string(line_chart_style()).append(kStyle));
    headline();
    charts();
    figures();
    parts("label", evaluation_.is_graded ? found_.grades : std::vector<evaluate::JudgedPart>());
    parts("stratum", found_.strata);
    all_settings();
    chosen_rule();
    help();
    return out_ + "</main>\n</body>\n</html>\n";
  }

 private:
  void tile(const char* name, const std::string& value, const std::string& note) {
    out_ += fmt::format(R"(<div class="tile kept"><dt>{}</dt><dd>{}<small>{}</small></dd></div>)", name, value,
                        escape_html(note));
  }

  void headline() {
    out_ += "<header>\n<p class=\"brand\"><b>neardup</b> evaluate</p>\n";
    out_ += fmt::format(
        "<h1>F1 {} at best</h1>\n<p class=\"lead\">{}, {} by their labels. Recipe {} "
        "({}).</p>\n",
        figure(evaluation_.f1(best_)), counted(evaluation_.num_documents, "document"),
        counted(evaluation_.num_same, "duplicate pair"), escape_html(evaluation_.recipe_name),
        escape_html(evaluation_.recipe_id));
    out_ += "<ul class=\"advice\">";
    for (const std::string& line : advice_) out_ += fmt::format("<li>{}</li>", escape_html(line));
    out_ += "</ul>\n<dl class=\"tiles four\">";
    const std::string setting = evaluate::setting_text(evaluation_, best_);
    tile("Precision", figure(evaluation_.precision(best_)), "found pairs that are right");
    tile("Recall", figure(evaluation_.recall(best_)), "duplicate pairs that are found");
    tile("F1", figure(evaluation_.f1(best_)), setting);
    if (evaluation_.is_judged) {
      tile("Unjudged", human_count(evaluation_.cell(best_).unjudged), "found pairs that nobody judged");
    } else {
      tile("Rand index", figure(evaluation_.cell(best_).ari), "adjusted, of the clusters");
    }
    out_ += "</dl>\n</header>\n";
  }

  template <class Value>
  Curve curve(std::string name, std::string style, Value&& value) const {
    Curve made{std::move(name), std::move(style), {}};
    for (size_t level = 0; level < evaluation_.levels.size(); ++level) made.values.push_back(value(level));
    return made;
  }

  // Where all values lie high the axis begins higher, so that curves can be told apart.
  static LineChart with_axis(LineChart chart) {
    double lowest = 0.8;
    for (const Curve& each : chart.curves)
      for (const double value : each.values)
        if (value < lowest) lowest = std::floor(value * 5) / 5;
    chart.lowest = lowest;
    return chart;
  }

  LineChart quality_chart(size_t rule) const {
    const auto at = [rule](size_t level) { return Setting{level, rule}; };
    return {.title = fmt::format("--verify {}", evaluation_.rules[rule]),
            .axis = std::string(level_noun(evaluation_)),
            .labels = level_labels(evaluation_),
            .curves = {curve("precision", "a", [&](size_t level) { return evaluation_.precision(at(level)); }),
                       curve("recall", "b", [&](size_t level) { return evaluation_.recall(at(level)); }),
                       curve("F1", "c", [&](size_t level) { return evaluation_.f1(at(level)); })},
            .marked = static_cast<int>(best_.level)};
  }

  LineChart threshold_chart() const {
    LineChart chart{
        .title = fmt::format("jaccard:T {}", evaluation_.is_minhash
                                                 ? fmt::format("with {} bands", evaluation_.levels[best_.level])
                                                 : fmt::format("at distance {}", evaluation_.levels[best_.level])),
        .axis = "T",
        .labels = {},
        .curves = {{"precision", "a", {}}, {"recall", "b", {}}, {"F1", "c", {}}}};
    for (size_t rule = 0; rule < evaluation_.rules.size(); ++rule) {
      constexpr std::string_view kPrefix = "jaccard:0";
      if (!evaluation_.rules[rule].starts_with(kPrefix)) continue;
      const Setting setting{best_.level, rule};
      chart.labels.push_back(evaluation_.rules[rule].substr(kPrefix.size()));
      chart.curves[0].values.push_back(evaluation_.precision(setting));
      chart.curves[1].values.push_back(evaluation_.recall(setting));
      chart.curves[2].values.push_back(evaluation_.f1(setting));
    }
    return chart;
  }

  LineChart spread_chart() const {
    const auto of = [this](size_t percentile) {
      return [this, percentile](size_t level) {
        const evaluate::SimilaritySpread& spread = evaluation_.spreads[level];
        return spread.count == 0 ? std::nan("") : static_cast<double>(spread.jaccard5[percentile]);
      };
    };
    const auto values = [&](size_t percentile) { return curve("", "", of(percentile)).values; };
    const auto share = [this](size_t level) {
      const evaluate::SimilaritySpread& spread = evaluation_.spreads[level];
      return spread.count == 0 ? std::nan("") : static_cast<double>(spread.same) / static_cast<double>(spread.count);
    };
    return {.title = fmt::format("What {} means", evaluation_.is_minhash ? "the first common band" : "a distance"),
            .axis = "similarity of candidates at exactly this level: middle, and the middle 50 % and 90 %",
            .labels = level_labels(evaluation_),
            .curves = {curve("Jaccard of word 5-grams, median", "a", of(2)), curve("share of duplicates", "b", share)},
            .bands = {{"a", values(0), values(4)}, {"a", values(1), values(3)}}};
  }

  void charts() {
    out_ += "<section id=\"curves\">\n<h2>Precision and recall</h2>\n<div class=\"pair-of-charts\">\n";
    out_ += line_chart(with_axis(quality_chart(best_.rule)));
    if (evaluation_.rules[best_.rule] != "none") out_ += line_chart(with_axis(quality_chart(0)));
    out_ += line_chart(threshold_chart());
    out_ += line_chart(spread_chart());
    out_ += "</div>\n</section>\n";
  }

  void all_settings() {
    out_ += fmt::format(
        "<section id=\"settings\">\n<h2>F1 of every setting</h2>\n<div class=\"wide-table\" tabindex=\"0\">"
        "<table>\n<thead><tr><th>{}</th><th>candidates</th>",
        level_noun(evaluation_));
    for (const std::string& rule : evaluation_.rules) {
      const size_t colon = rule.find(':');
      out_ += fmt::format("<th>{}</th>", colon == std::string::npos ? rule : "\u2265 " + rule.substr(colon + 2));
    }
    out_ += "</tr></thead>\n<tbody>\n";
    double worst = 1;
    for (size_t i = 0; i < evaluation_.cells.size(); ++i) worst = std::min(worst, f1_at(i));
    for (size_t level = 0; level < evaluation_.levels.size(); ++level) settings_row(level, worst);
    out_ +=
        "</tbody></table></div>\n<p class=\"axis\">Columns: --verify with the rule of that name, and jaccard:T from "
        "each T on.</p></section>\n";
  }

  static std::string figure_cell(double value, const std::optional<evaluate::Interval>& interval) {
    if (!interval || std::isnan(value)) return fmt::format("<td>{}</td>", figure(value));
    return fmt::format("<td>{}<br><small>{:.3f}\u2013{:.3f}</small></td>", figure(value), interval->low,
                       interval->high);
  }

  static std::string share_cell(uint64_t part, uint64_t whole) {
    return figure_cell(whole == 0 ? std::nan("") : share(part, whole), evaluate::share_interval(part, whole));
  }

  void figures() {
    out_ +=
        "<section id=\"figures\">\n<h2>How sure it is</h2>\n<div class=\"wide-table\" tabindex=\"0\"><table>\n"
        "<thead><tr><th>setting</th><th>precision</th><th>recall</th><th>F1</th><th></th></tr></thead>\n<tbody>\n";
    for (const evaluate::NamedSetting& named : found_.named)
      out_ += fmt::format("<tr><th>{}</th>{}{}{}<td>{}</td></tr>\n",
                          escape_html(evaluate::setting_text(evaluation_, named.setting)),
                          figure_cell(named.precision.value, named.precision.interval),
                          figure_cell(named.recall.value, named.recall.interval),
                          figure_cell(named.f1.value, named.f1.interval), escape_html(named.role));
    for (const evaluate::NamedComparison& each : found_.compared)
      out_ +=
          fmt::format("<tr><th>{} less {}</th>{}{}{}<td>{}</td></tr>\n",
                      escape_html(evaluate::setting_text(evaluation_, found_.named[each.a].setting)),
                      escape_html(evaluate::setting_text(evaluation_, found_.named[each.b].setting)),
                      figure_cell(each.result.precision.value, each.result.precision.interval),
                      figure_cell(each.result.recall.value, each.result.recall.interval),
                      figure_cell(each.result.f1.value, each.result.f1.interval), evaluate::chance_text(each.result));
    out_ += "</tbody></table></div>\n</section>\n";
  }

  // What the named settings find of the judged pairs of each label or stratum: precision and recall, or, of a label,
  // whose pairs are all duplicates or none, what is found.
  void parts(const std::string& noun, const std::vector<evaluate::JudgedPart>& parts) {
    if (parts.empty()) return;
    out_ += fmt::format(
        "<section id=\"{}\">\n<h2>By {}</h2>\n<div class=\"wide-table\" tabindex=\"0\"><table>\n<thead><tr>"
        "<th>{}</th><th>judged</th><th>duplicates</th>",
        noun, noun, noun);
    for (const evaluate::NamedSetting& named : found_.named)
      for (const char* what : {"found", "precision", "recall"})
        if ((noun == "label") == (what == std::string_view("found")))
          out_ += fmt::format("<th>{}: {}</th>", escape_html(evaluate::setting_text(evaluation_, named.setting)), what);
    out_ += "</tr></thead>\n<tbody>\n";
    for (const evaluate::JudgedPart& part : parts) part_row(noun == "label", part);
    out_ += "</tbody></table></div>\n</section>\n";
  }

  void part_row(bool is_label, const evaluate::JudgedPart& part) {
    out_ += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td>", escape_html(part.name.empty() ? "(none)" : part.name),
                        human_count(part.pairs), human_count(part.same));
    for (const evaluate::FoundOf& found : part.found)
      out_ += is_label ? share_cell(found.right + found.wrong, part.pairs)
                       : share_cell(found.right, found.right + found.wrong) + share_cell(found.right, part.same);
    out_ += "</tr>\n";
  }

  [[nodiscard]] double f1_at(size_t cell) const {
    const double f1 = evaluation_.f1({cell / evaluation_.rules.size(), cell % evaluation_.rules.size()});
    return std::isnan(f1) ? 0 : f1;
  }

  void settings_row(size_t level, double worst) {
    constexpr double kDeepest = 55;  // per cent of colour: text stays readable on it
    const double per_document = static_cast<double>(evaluation_.num_candidates[level]) /
                                static_cast<double>(std::max<uint64_t>(1, evaluation_.num_documents));
    out_ += fmt::format("<tr><th>{}</th><td>{:.2f}</td>", evaluation_.levels[level], per_document);
    for (size_t rule = 0; rule < evaluation_.rules.size(); ++rule) {
      const double f1 = f1_at(level * evaluation_.rules.size() + rule);
      const double heat = worst < 1 ? kDeepest * (f1 - worst) / (1 - worst) : 0;
      out_ += fmt::format(R"(<td class="heat{}" style="--heat:{:.0f}">{}</td>)",
                          Setting{level, rule} == best_ ? " best" : "", heat, figure(f1).substr(f1 < 1 ? 1 : 0));
    }
    out_ += "</tr>\n";
  }

  void chosen_rule() {
    out_ += fmt::format(
        "<section id=\"rule\">\n<h2>--verify {} in figures</h2>\n<div class=\"wide-table\" "
        "tabindex=\"0\"><table>\n<thead><tr><th>{}</th><th>candidates</th><th>found</th><th>right</th>"
        "<th>precision</th><th>recall</th><th>F1</th><th>{}</th></tr></thead>\n<tbody>\n",
        evaluation_.rules[best_.rule], level_noun(evaluation_), evaluation_.is_judged ? "unjudged" : "Rand index");
    for (size_t level = 0; level < evaluation_.levels.size(); ++level) {
      const Setting setting{level, best_.rule};
      const evaluate::Cell& cell = evaluation_.cell(setting);
      out_ += fmt::format(
          "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}"
          "</td></tr>\n",
          evaluation_.levels[level], human_count(evaluation_.num_candidates[level]),
          human_count(cell.right + cell.wrong), human_count(cell.right), figure(evaluation_.precision(setting)),
          figure(evaluation_.recall(setting)), figure(evaluation_.f1(setting)),
          evaluation_.is_judged ? human_count(cell.unjudged) : figure(cell.ari));
    }
    out_ += "</tbody></table></div>\n</section>\n";
  }

  void help() {
    out_ += R"(<section id="help">
<h2>How to read this page</h2>
<dl class="help">
<div><dt>Precision</dt><dd>The share of found pairs that the labels call duplicates.</dd></div>
<div><dt>Recall</dt><dd>The share of the labels' duplicate pairs that are found.</dd></div>
<div><dt>F1</dt><dd>The harmonic mean of the two: high only where both are.</dd></div>
<div><dt>Intervals</dt><dd>The true value lies in them 19 times of 20, as far as the labels are a fair sample. A difference is more than chance where its interval leaves out 0, and, for the recommended setting, where the best of all settings tried would not gain as much by chance.</dd></div>
<div><dt>Rand index</dt><dd>How well whole clusters agree (connected components of the found pairs): 1 is equal, 0 is chance.</dd></div>
</dl>
</section>
)";
  }

  const Evaluation& evaluation_;
  const evaluate::Findings& found_;
  Setting best_;
  const std::vector<std::string>& advice_;
  std::string out_;
};

}  // namespace

std::string evaluation_html(const Evaluation& evaluation, const evaluate::Findings& found,
                            const std::vector<std::string>& advice) {
  return Page(evaluation, found, advice).paint();
}

}  // namespace neardup::report
