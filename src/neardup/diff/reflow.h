// Hard-wrapped text set anew for a narrow column.
#pragma once

#include <string>
#include <string_view>

namespace neardup::diff {

/// Returns `text` with the lines of each paragraph joined by one space and runs of blank lines made one. Only lines
/// that look like wrapped prose are joined: long ones with many words, followed by a line that is not blank and begins
/// with a letter, a digit or a quote at about the same indentation. Lists, code, tables and short lines keep their line
/// ends. Nothing but white space changes.
[[nodiscard]] std::string reflow(std::string_view text);

/// Returns `text` on one line, each run of white space made one space. Where that is longer than `max_bytes`, or
/// `is_cut` tells that the text goes on elsewhere, it ends after a word (if there is a space in its second half) and an
/// ellipsis.
[[nodiscard]] std::string one_line(std::string_view text, size_t max_bytes, bool is_cut = false);

}  // namespace neardup::diff
