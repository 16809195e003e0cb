// Documents for LaTeX without their preambles.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` without what stands before \begin{document} and behind \end{document}; returns false where
/// the text is no document for LaTeX, and `out` may be anything then. Of the preamble stays what a reader sees or may
/// see: the arguments of \title, \author and the like, and definitions that hold a word. Comments are nothing.
bool leave_out_latex_preamble(std::string_view text, std::string& out);

}  // namespace neardup::text
