// The page of an evaluation.
#pragma once

#include <string>
#include <vector>

#include "neardup/evaluate/findings.h"

namespace neardup::report {

/// Returns one HTML page, whole without network and script: advice, curves over the levels, tables of every setting,
/// and of the settings that matter with intervals. `found` and `advice`: those of the evaluation.
[[nodiscard]] std::string evaluation_html(const evaluate::Evaluation& evaluation, const evaluate::Findings& found,
                                          const std::vector<std::string>& advice);

}  // namespace neardup::report
