// Parsing by lexbor whose time and memory grow with the page alone, whatever it holds.
#pragma once

#include <string_view>

#include "neardup/text/html/tree.h"

struct lxb_html_document;

namespace neardup::text {

/// Parses `html` into a document that lxb_html_document_parse_chunk_begin() was called for. Attributes that the rules
/// for main text do not look at are left out, long values cut, formatting elements read as span, and what is nested too
/// deep, or beyond a bound of elements and memory, is read as text. Returns false where it was given up in its middle:
/// the document holds what was read, and is not to be used for another page. Sets reserve_bytes, has_template and
/// has_layout_tags of `tree`; with `open_reserve` noscript and template are read as div.
[[nodiscard]] bool parse_within_limits(lxb_html_document& document, std::string_view html, bool open_reserve,
                                       HtmlTree& tree);

}  // namespace neardup::text
