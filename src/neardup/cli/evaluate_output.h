// An evaluation as a table for people and as JSON.
#pragma once

#include <string>

#include "neardup/evaluate/evaluation.h"

namespace neardup::cli {

/// Returns the table: F1 of each level under a few rules, precision and recall of the recommended rule, advice.
[[nodiscard]] std::string evaluation_text(const evaluate::Evaluation& evaluation, double least_precision);

/// Returns one JSON object with everything, and a line feed (docs/formats/labels.md).
[[nodiscard]] std::string evaluation_json(const evaluate::Evaluation& evaluation, double least_precision);

}  // namespace neardup::cli
