// Notices that are laid over a page: that it uses cookies, and wants consent.
#pragma once

#include <cstdint>

#include "neardup/text/html_stats.h"
#include "neardup/text/html_tree.h"

namespace neardup::text {

/// Returns whether a part asks for consent to cookies, however much of the page's text it is: at most 3,000 bytes and
/// 256 nodes without a headline, main part or article, that speak of cookies. Parts without a name of such (hints) must
/// be blocks right below the body, or one below that, and say that the site uses them, in one of a dozen languages.
/// Cost: a look at those nodes.
[[nodiscard]] bool is_notice(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part);

}  // namespace neardup::text
