// Chosen parts of a page -> lines of text.
#pragma once

#include <string>
#include <string_view>

#include "neardup/text/html/main.h"

namespace neardup::text {

/// Replaces `out` by the text of `choice`: a line for each paragraph, heading, list item and table row (its cells
/// between tabs), preformatted text as it stands; white space runs are one space; no empty lines.
void render(const HtmlTree& tree, const HtmlChoice& choice, std::string& out);

/// Appends `text` to `out` with each run of white space made one space, none where `out` ends in white space.
void append_collapsed(std::string_view text, std::string& out);

}  // namespace neardup::text
