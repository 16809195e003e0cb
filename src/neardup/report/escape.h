// Text of unknown origin made safe to put into a page or on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::report {

/// Returns `text` as HTML character data, good inside elements and inside quoted attributes: & < > " ' are written as
/// references; each byte that is not valid UTF-8 becomes U+FFFD; a hidden character (is_hidden) becomes the picture of
/// its name in <b class="hidden">U+202E</b>. Tabs and line feeds stay; CR LF becomes LF.
[[nodiscard]] std::string escape_html(std::string_view text);

/// Returns `text` for a quoted attribute: as above, but hidden characters become [U+202E] without markup.
[[nodiscard]] std::string escape_attribute(std::string_view text);

/// Returns `text` as one line for a terminal: line feeds and tabs become spaces, hidden characters [U+001B], bad bytes
/// U+FFFD; cut in the middle with an ellipsis where it is wider than `max_columns`. Requires: max_columns >= 3.
[[nodiscard]] std::string terminal_line(std::string_view text, size_t max_columns);

/// The same for a text of many lines: line feeds and tabs stay, CR LF becomes LF, and nothing is cut.
[[nodiscard]] std::string terminal_text(std::string_view text);

/// Returns how many columns `text`, an output of terminal_line, takes.
[[nodiscard]] size_t terminal_columns(std::string_view text);

}  // namespace neardup::report
