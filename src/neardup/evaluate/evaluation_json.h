// An evaluation as JSON.
#pragma once

#include <string>
#include <vector>

#include "neardup/evaluate/findings.h"

namespace neardup::evaluate {

/// Returns one JSON object with everything, and a line feed (docs/formats/labels.md). `found` and `advice`: those of
/// the evaluation.
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation, const Findings& found,
                                          const std::vector<std::string>& advice);

}  // namespace neardup::evaluate
