// A report as JSON, as a page, as the table that is printed at the end.
#pragma once

#include <string>

#include "neardup/report/figures.h"

namespace neardup::report {

/// Returns the report as one JSON object, indented, keys in a fixed order; figures that differ between runs
/// (seconds, memory, start, command, threads) stand together under "run". See docs/formats/results.md.
[[nodiscard]] std::string to_json(const Report& report);

/// Returns one self-contained HTML page: no script or font or image from elsewhere, light and dark. All text of the
/// report may be hostile or broken.
[[nodiscard]] std::string to_html(const Report& report);

/// Returns the summary table that the command line prints at the end: UTF-8 without colours or control characters.
[[nodiscard]] std::string to_text(const Report& report);

}  // namespace neardup::report
