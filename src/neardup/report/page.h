// The fixed parts of every page: its head, its style and its script.
#pragma once

#include <string>
#include <string_view>

namespace neardup::report {

/// Returns a page up to the start of <main>, with page_style() and `more_style`. Nothing is loaded from elsewhere; a
/// script runs only with `has_script`. Requires: `title` is escaped.
[[nodiscard]] std::string page_head(std::string_view title, std::string_view more_style, bool has_script = false);

/// Returns the style sheet: light and dark, phone and print, system fonts.
[[nodiscard]] std::string_view page_style();

/// Returns the script that sorts tables and filters examples. The page is whole without it.
[[nodiscard]] std::string_view page_script();

}  // namespace neardup::report
