// An evaluation as a table for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/evaluate/findings.h"

namespace neardup::cli {

/// Returns the tables: F1 of each level under a few rules, precision and recall of the recommended rule,
/// evaluation_figures(), and the advice. `found` and `advice`: those of the evaluation.
[[nodiscard]] std::string evaluation_text(const evaluate::Evaluation& evaluation, const evaluate::Findings& found,
                                          const std::vector<std::string>& advice);

/// Returns the settings that matter with intervals, how they differ, and what they find of judged pairs by label and
/// stratum.
[[nodiscard]] std::string evaluation_figures(const evaluate::Evaluation& evaluation, const evaluate::Findings& found);

/// Returns ".812", "1" or, where there is none, "-".
[[nodiscard]] std::string figure_text(double value);

}  // namespace neardup::cli
