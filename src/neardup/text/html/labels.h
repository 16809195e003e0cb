// What parts of a page say of themselves in words: headings of other pages, bylines, dates, calls to follow.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Marks in `dropped` what a heading such as "You may also like" heads: the part that it begins, or the links behind
/// it. `figures` are those of the tree without what is dropped so far.
void drop_headed(const HtmlTree& tree, const HtmlFigures& figures, std::vector<uint8_t>& dropped);

/// Returns whether `id` is that of a section of text, made of its heading: "sharing-data" of "Sharing data" says
/// nothing of the part that it names. `figures` as above.
[[nodiscard]] bool repeats_heading(const HtmlTree& tree, const HtmlFigures& figures, const HtmlId& id);

/// Marks in `dropped` what stands at the borders of the main text, the nodes from `begin` to `end`, and is none of it:
/// bylines and dates before the first paragraph, calls to subscribe and headings of nothing behind the last one; and
/// paragraphs anywhere that only point to another page ("Read more: ..."). `figures` as above.
void clean_borders(const HtmlTree& tree, uint32_t begin, uint32_t end, const HtmlFigures& figures,
                   std::vector<uint8_t>& dropped);

}  // namespace neardup::text
