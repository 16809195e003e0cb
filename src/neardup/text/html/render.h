// Chosen parts of a page -> lines of text.
#pragma once

#include <string>
#include <string_view>

#include "neardup/text/html/main.h"

namespace neardup::text {

/// Replaces `out` by the text of `choice`: a line for each paragraph, heading, list item and table row (its cells
/// between tabs), preformatted text as it stands; white space runs are one space; no empty lines.
/// With `quotes` mails and posts that are quoted are so as in plain text: "> " before their lines, an empty line before
/// the head of a mail. Quoted is what is marked so (quote_marks.h), and a blockquote that an introduction of a mail
/// program stands before, or that begins with the cite of a forum ("Ann wrote:"). Returns whether there is any.
bool render(const HtmlTree& tree, const HtmlChoice& choice, std::string& out, bool quotes = false);

/// Appends `text` to `out` with each run of white space made one space, none where `out` ends in white space.
void append_collapsed(std::string_view text, std::string& out);

}  // namespace neardup::text
