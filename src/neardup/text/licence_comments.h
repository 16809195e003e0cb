// Sources without the licence that stands in the comments at their front.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` without the paragraphs on copyright and licences in the comments at its front; returns
/// false where there are none, and `out` may be anything then. Comments are those of programming languages: between
/// "/*" and
/// "*/" or "<!--" and "-->", or two lines or more behind "//", "#", "--", ";", "%", "!" or "dnl"; a paragraph is what
/// stands between lines of a comment that have no letter. What else a comment says stays, and so do one that nothing
/// stands behind, and paragraphs of more than 4 kB together: a whole licence, and no notice.
bool leave_out_licence(std::string_view text, std::string& out);

}  // namespace neardup::text
