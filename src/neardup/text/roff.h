// Sources of manual pages -> what man shows of them.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Returns whether `text` is written for troff with the macros of manual pages (man, mdoc, those of Tcl and of
/// pod2man): its first line that is not blank is a comment, a macro or a request of theirs, and one of its lines names
/// the page (.TH, .Dt), begins a section or a paragraph (.SH, .PP), or all of them include other files (.so).
/// Cost: a look at the first letter for texts that begin with something else than "." or "'"; else a search.
[[nodiscard]] bool looks_like_roff(std::string_view text);

/// Replaces `out` by what man shows of `text` (UTF-8; invalid sequences are copied), a line for each line of its own:
/// without comments, definitions of macros, requests, fonts, sizes, formats of tables, indexes and the branches that
/// are for printers; special characters, and strings that the text defines, are what they stand for. Of macros the
/// arguments stay; of .TH name and section. What is included (.so) is not read, so of a text that only includes nothing
/// is left. Deviates from man in that nothing is filled, counted or repeated on each page.
/// `text` must not lie in `out`. Cost: about 200 MB/s. Memory: that of `out`, at most as much as `text`.
/// See: groff(7), groff_man(7), groff_mdoc(7).
void read_roff(std::string_view text, std::string& out);

}  // namespace neardup::text
