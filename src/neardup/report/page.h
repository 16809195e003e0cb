// The fixed parts of the page: its style and its script.
#pragma once

#include <string_view>

namespace neardup::report {

/// Returns the style sheet: light and dark, phone and print, system fonts.
[[nodiscard]] std::string_view page_style();

/// Returns the script that sorts tables and filters examples. The page is whole without it.
[[nodiscard]] std::string_view page_script();

}  // namespace neardup::report
