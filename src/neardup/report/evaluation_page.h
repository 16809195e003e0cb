// The page of an evaluation.
#pragma once

#include <string>

#include "neardup/evaluate/evaluation.h"

namespace neardup::report {

/// Returns one HTML page, whole without network and script: advice, curves over the levels, tables of every setting.
[[nodiscard]] std::string evaluation_html(const evaluate::Evaluation& evaluation, double least_precision);

}  // namespace neardup::report
