// Lead paragraphs: what stands in a block of its own between the headline and the text.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/text/html/main.h"
#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Returns whether there is an h1 among the first nodes below `part`.
[[nodiscard]] bool begins_with_headline(const HtmlTree& tree, uint32_t part);

/// Puts before the chosen parts the paragraphs between the last h1 before them (without any: the last heading) and
/// their beginning: blocks of 60 bytes or more with little in links, not in lists, tables, links or behind pictures,
/// and within 400 bytes of other text behind the headline. Nothing where they come to more than 1,500 bytes, or than
/// half of what is chosen: then it is no lead.
void add_lead(const HtmlTree& tree, const HtmlFigures& figures, HtmlChoice& choice);

}  // namespace neardup::text
