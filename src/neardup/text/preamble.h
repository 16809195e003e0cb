// What stands before a text and belongs to its collection: the licence of a source, the preamble of LaTeX, front
// matter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` without its preamble, and returns how many bytes were left out; 0 where there is none, and
/// `out` may be anything then. A preamble is one of
///
/// - the paragraphs on copyright and licences in the comments that a source begins with (licence_comments.h);
/// - of a document for LaTeX all before \begin{document} but title, authors, abstract, and definitions that hold words,
///   and all behind \end{document} (latex.h);
/// - of front matter in YAML or TOML the settings of a page ("layout", "tags"); other members are its text
///   (front_matter.h).
///
/// Nothing is left out where hardly any text is left. `text` is UTF-8; invalid sequences are copied. `out` is no longer
/// than `text`. Cost: a few comparisons where a text begins with none of them, else a pass.
size_t leave_out_preamble(std::string_view text, std::string& out);

}  // namespace neardup::text
