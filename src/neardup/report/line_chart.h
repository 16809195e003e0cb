// Curves over a few labelled positions, as an SVG.
#pragma once

#include <string>
#include <vector>

namespace neardup::report {

struct Curve {
  std::string name;
  std::string style;           // class of the curve: a, b, c or d
  std::vector<double> values;  // 0..1 at each position; NaN leaves a gap
};

/// A strip between two curves, such as percentiles.
struct Band {
  std::string style;
  std::vector<double> low, high;
};

struct LineChart {
  std::string title;
  std::string axis;                 // what the positions are
  std::vector<std::string> labels;  // of the positions
  std::vector<Curve> curves;
  std::vector<Band> bands = {};
  int marked = -1;    // a position with a line of its own
  double lowest = 0;  // of the value axis
};

/// Returns a figure with its title, its legend and, in words, what it shows. Requires: all sizes are that of labels.
[[nodiscard]] std::string line_chart(const LineChart& chart);

/// The rules that line_chart() needs beside page_style().
[[nodiscard]] std::string line_chart_style();

}  // namespace neardup::report
