#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/sizes.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"
#include "neardup/report/tally.h"

namespace neardup::report {
namespace {

enum class Ticks {
  kMiddle,  // a label names the bar
  kEdge,    // a label names the bar's left edge, and `end_label` the right edge of the last
};

/// A vertical line.
struct Mark {
  double place;  // 0..1 from the left
  std::string label;
};

struct Chart {
  const char* title;
  std::string axis;
  const char* counted;  // what the bars count
  const char* nothing;  // said where all bars are 0
  Ticks ticks;
  std::string end_label;
  size_t room;  // how many bars have room for their labels in full size
  std::vector<Bar> bars;
  std::vector<Mark> marks = {};
};

// Pixels from the top; widths are shares of whatever room there is.
constexpr int kBarTop = 20, kBarBase = 160, kBarHeight = 184;
constexpr size_t kFewBars = 9;

std::string value_label(const Bar& bar, size_t num_bars) {
  if (bar.count == 0) return "";
  return bar.count < 1000 || (num_bars < kFewBars && bar.count < 100000) ? human_count(bar.count)
                                                                         : short_count(bar.count);
}

// What a person hears who cannot see the bars.
std::string spoken(const Chart& chart) {
  std::string text = fmt::format("{}: ", chart.title);
  for (const Bar& bar : chart.bars) {
    if (bar.count > 0) text += fmt::format("{}: {}; ", bar.label, human_count(bar.count));
  }
  for (const Mark& mark : chart.marks) text += escape_html(mark.label) + "; ";
  return text;
}

void append_bar(std::string& out, const Chart& chart, size_t i, uint64_t largest) {
  const Bar& bar = chart.bars[i];
  double slot = 100.0 / static_cast<double>(chart.bars.size());
  double left = slot * static_cast<double>(i);
  // A bar that stands for something can be seen.
  int height = bar.count == 0 ? 0 : std::max(2, static_cast<int>((kBarBase - kBarTop) * share(bar.count, largest)));
  out += fmt::format("<g><title>{}: {} {}</title>", bar.label, human_count(bar.count), chart.counted);
  out +=
      fmt::format("<rect class=\"slot\" x=\"{:.2f}%\" y=\"0\" width=\"{:.2f}%\" height=\"{}\"/>", left, slot, kBarBase);
  if (height > 0) {
    out += fmt::format("<rect class=\"bar\" x=\"{:.2f}%\" y=\"{}\" width=\"{:.2f}%\" height=\"{}\" rx=\"2\"/>",
                       left + slot * 0.12, kBarBase - height, slot * 0.76, height);
  }
  double middle = left + slot / 2;
  out += fmt::format("<text class=\"value\" x=\"{:.2f}%\" y=\"{}\">{}</text>", middle, kBarBase - height - 5,
                     value_label(bar, chart.bars.size()));
  out += fmt::format("<text class=\"tick\" x=\"{:.2f}%\" y=\"{}\">{}</text></g>\n",
                     chart.ticks == Ticks::kMiddle ? middle : left, kBarBase + 17, bar.label);
}

void append_mark(std::string& out, const Mark& mark) {
  out += fmt::format(
      "<g><title>{0}</title><line class=\"mark\" x1=\"{1:.2f}%\" x2=\"{1:.2f}%\" y1=\"0\" y2=\"{2}\"/></g>\n",
      escape_html(mark.label), 100 * mark.place, kBarBase);
}

void append_svg(std::string& out, const Chart& chart, uint64_t largest) {
  bool is_wide = chart.bars.size() > chart.room;
  out += fmt::format("<svg class=\"bars{}\" width=\"100%\" height=\"{}\" role=\"img\" aria-label=\"{}\">\n",
                     is_wide ? " wide" : "", kBarHeight, spoken(chart));
  for (size_t i = 0; i < chart.bars.size(); ++i) append_bar(out, chart, i, largest);
  if (chart.ticks == Ticks::kEdge) {
    out += fmt::format("<text class=\"tick\" x=\"100%\" y=\"{}\">{}</text>", kBarBase + 17, chart.end_label);
  }
  for (const Mark& mark : chart.marks) append_mark(out, mark);
  out += fmt::format("<line x1=\"0\" x2=\"100%\" y1=\"{0}.5\" y2=\"{0}.5\"/></svg>\n", kBarBase);
}

void append_chart(std::string& out, const Chart& chart) {
  uint64_t largest = 0;
  for (const Bar& bar : chart.bars) largest = std::max(largest, bar.count);
  out += fmt::format("<figure><figcaption>{}</figcaption>\n", chart.title);
  if (largest == 0) {
    out += fmt::format("<p class=\"nothing\">{}</p>", chart.nothing);
  } else {
    append_svg(out, chart, largest);
    out += fmt::format("<p class=\"axis\">{}</p>", chart.axis);
  }
  out += "</figure>\n";
}

std::string threshold_label(const Threshold& threshold) {
  return fmt::format("{:.2f}{}", threshold.similarity, threshold.of.empty() ? "" : " for " + threshold.of);
}

// Where the rule draws the line, and in words.
Chart similarity_chart(const Report& report, const char* nothing) {
  Chart chart = {"Near-duplicates by similarity",
                 "similarity to the kept document",
                 "near-duplicates",
                 nothing,
                 Ticks::kEdge,
                 "1",
                 13,
                 similarity_bars(report)};
  const double num_bars = static_cast<double>(chart.bars.size());
  const double first = 1 - num_bars / static_cast<double>(report.similarity_histogram.size());
  for (const Threshold& threshold : report.thresholds) {
    const std::string label = threshold_label(threshold);
    chart.axis += (chart.marks.empty() ? "; dashed: what the rule takes, " : ", ") + escape_html(label);
    chart.marks.push_back({std::clamp((threshold.similarity - first) / (1 - first), 0.0, 1.0), "taken from " + label});
  }
  return chart;
}

Chart values_chart(const Report& report, const char* nothing) {
  Chart chart = {
      "Near-duplicates by distance",
      fmt::format("of {} values of the signatures, those that differ from the kept document's", report.num_values),
      "near-duplicates",
      nothing,
      Ticks::kEdge,
      "",
      13,
      values_bars(report)};
  chart.end_label =
      std::to_string(chart.bars.size() * static_cast<size_t>(report.num_values) / report.values_histogram.size());
  return chart;
}

}  // namespace

void append_charts(std::string& out, const Report& report) {
  constexpr const char* kNoNear = "No near-duplicate was removed.";
  out += "<div class=\"charts\">\n";
  if (report.num_values == 0)
    append_chart(out, {"Near-duplicates by distance", "bits that differ from the kept document's", "near-duplicates",
                       kNoNear, Ticks::kMiddle, "", 13, distance_bars(report)});
  else
    append_chart(out, values_chart(report, kNoNear));
  append_chart(out, similarity_chart(report, kNoNear));
  append_chart(
      out, {"Clusters by size", "documents in a cluster, up to", "clusters",
            "There are no clusters: every document stands alone.", Ticks::kMiddle, "", 8, cluster_size_bars(report)});
  out += "</div>\n";
}

}  // namespace neardup::report
