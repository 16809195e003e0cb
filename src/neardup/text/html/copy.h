// From lexbor's document to our own tree.
#pragma once

#include "neardup/text/html/tree.h"

struct lxb_html_document;

namespace neardup::text {

/// Appends the elements and texts that the rules for main text look at, in the order of the page, and sets title and
/// language. The views in `tree` are into `document`.
void copy_html(const lxb_html_document& document, HtmlTree& tree);

}  // namespace neardup::text
