// Where the heading of a text ends, which says what the text is about.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::text {

/// Returns how many of the first bytes of `text` are its heading in Markdown or reStructuredText: a line that begins
/// with "# ", or one with a row of "=", "-", "~" or the like below it, and perhaps above it. Blank lines before it are
/// part of it. 0 where the text begins with something else, and where the line has Han characters or kana: words are
/// not told apart there, so one that is put for a synonym would look like a name. Cost: reads the first lines.
[[nodiscard]] size_t heading_bytes(std::string_view text);

/// Returns the same of what man shows of the source of a manual page: the line of its name and the heading below.
[[nodiscard]] size_t manual_heading_bytes(std::string_view text);

}  // namespace neardup::text
