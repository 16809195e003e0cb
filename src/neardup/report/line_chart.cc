#include "neardup/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neardup/report/escape.h"

namespace neardup::report {
namespace {

// In units of the view box, which grows and shrinks with the page.
constexpr double kWidth = 420, kHeight = 250, kLeft = 34, kRight = 14, kTop = 8, kBottom = 26;
constexpr size_t kMostTicks = 18;

class Painter {
 public:
  explicit Painter(const LineChart& chart) : chart_(chart) {}

  std::string paint() {
    out_ = fmt::format(R"(<svg class="lines" viewBox="0 0 {} {}" role="img" aria-label="{}">)", kWidth, kHeight,
                       escape_attribute(spoken()));
    grid();
    for (const Band& band : chart_.bands) paint_band(band);
    if (chart_.marked >= 0) {
      const double at = x(static_cast<size_t>(chart_.marked));
      out_ += fmt::format(R"(<line class="mark" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", at, kTop,
                          kHeight - kBottom);
    }
    for (const Curve& curve : chart_.curves) paint_curve(curve);
    return out_ + "</svg>\n";
  }

 private:
  double x(size_t position) const {
    const auto last = static_cast<double>(std::max<size_t>(2, chart_.labels.size()) - 1);
    return kLeft + (kWidth - kLeft - kRight) * static_cast<double>(position) / last;
  }
  double y(double value) const {
    const double share = (std::clamp(value, chart_.lowest, 1.0) - chart_.lowest) / (1 - chart_.lowest);
    return kHeight - kBottom - (kHeight - kTop - kBottom) * share;
  }

  void grid() {
    constexpr int kLines = 5;
    for (int i = 0; i <= kLines; ++i) {
      const double value = chart_.lowest + (1 - chart_.lowest) * i / kLines;
      out_ += fmt::format(R"(<line class="rule" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", kLeft, kWidth - kRight,
                          y(value), y(value));
      out_ += fmt::format(R"(<text class="side-tick" x="{}" y="{:.1f}">{:.2g}</text>)", kLeft - 5, y(value) + 4, value);
    }
    const size_t step = (chart_.labels.size() + kMostTicks - 1) / kMostTicks;
    for (size_t i = 0; i < chart_.labels.size(); i += step)
      out_ += fmt::format(R"(<text class="tick" x="{:.1f}" y="{}">{}</text>)", x(i), kHeight - 8,
                          escape_html(chart_.labels[i]));
  }

  void paint_band(const Band& band) {
    std::string points;
    for (size_t i = 0; i < band.high.size(); ++i)
      if (!std::isnan(band.high[i])) points += fmt::format("{:.1f},{:.1f} ", x(i), y(band.high[i]));
    for (size_t i = band.low.size(); i-- > 0;)
      if (!std::isnan(band.low[i])) points += fmt::format("{:.1f},{:.1f} ", x(i), y(band.low[i]));
    out_ += fmt::format(R"(<polygon class="{}" points="{}"/>)", band.style, points);
  }

  void paint_curve(const Curve& curve) {
    std::string points, dots;
    for (size_t i = 0; i < curve.values.size(); ++i) {
      if (std::isnan(curve.values[i])) continue;
      points += fmt::format("{:.1f},{:.1f} ", x(i), y(curve.values[i]));
      dots += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.6"><title>{}, {}: {:.3f}</title></circle>)", x(i),
                          y(curve.values[i]), escape_html(curve.name), escape_html(chart_.labels[i]), curve.values[i]);
    }
    out_ += fmt::format(R"(<g class="{}"><polyline points="{}"/>{}</g>)", curve.style, points, dots);
  }

  // What a person hears who cannot see the curves.
  std::string spoken() const {
    std::string text = chart_.title + ". ";
    for (const Curve& curve : chart_.curves) {
      text += curve.name + ":";
      for (size_t i = 0; i < curve.values.size(); ++i)
        if (!std::isnan(curve.values[i])) text += fmt::format(" {} {:.3f},", chart_.labels[i], curve.values[i]);
      text.back() = '.';
      text += ' ';
    }
    return text;
  }

  const LineChart& chart_;
  std::string out_;
};

}  // namespace

std::string line_chart(const LineChart& chart) {
  std::string out = fmt::format("<figure><figcaption>{}</figcaption>\n", escape_html(chart.title));
  out += R"(<p class="keys">)";
  for (const Curve& curve : chart.curves)
    out += fmt::format(R"(<span class="{}">{}</span>)", curve.style, escape_html(curve.name));
  out += "</p>\n" + Painter(chart).paint();
  return out + fmt::format("<p class=\"axis\">{}</p></figure>\n", escape_html(chart.axis));
}

std::string line_chart_style() {
  return R"css(
svg.lines { display: block; width: 100%; height: auto; font: 12px var(--sans); }
svg.lines text { fill: var(--soft); font-variant-numeric: tabular-nums; }
svg.lines .tick { text-anchor: middle; } svg.lines .side-tick { text-anchor: end; }
svg.lines .rule { stroke: var(--line); } svg.lines .mark { stroke: var(--soft); stroke-dasharray: 3 3; }
svg.lines polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg.lines g.a { stroke: var(--kept); fill: var(--kept); } svg.lines g.b { stroke: var(--near); fill: var(--near); }
svg.lines g.c { stroke: var(--exact); fill: var(--exact); } svg.lines g.d { stroke: var(--soft); fill: var(--soft); }
svg.lines circle { stroke: none; } svg.lines polygon { stroke: none; opacity: .22; }
svg.lines polygon.a { fill: var(--kept); } svg.lines polygon.b { fill: var(--near); }
.keys { display: flex; flex-wrap: wrap; gap: .1em 1.1em; font-size: .85rem; color: var(--soft); margin: 0 0 .3em; max-width: none; }
.keys span::before { content: ""; display: inline-block; width: 1.1em; height: 3px; border-radius: 2px; margin-inline-end: .4em; vertical-align: .25em; }
.keys .a::before { background: var(--kept); } .keys .b::before { background: var(--near); }
.keys .c::before { background: var(--exact); } .keys .d::before { background: var(--soft); }
)css";
}

}  // namespace neardup::report
