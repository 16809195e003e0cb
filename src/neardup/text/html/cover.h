// How much of a page the chosen part must hold.
#pragma once

#include <cstdint>

#include "neardup/text/html/main.h"
#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Returns the part that says it is the page's main one (main, role main or article) and holds a tenth of its text;
/// 0, the whole page, where none or more than one does.
[[nodiscard]] uint32_t main_region(const HtmlTree& tree, const HtmlFigures& figures);

/// Returns the only part that says it is the page's main one, however little it holds; 0 where none or more than one
/// does.
[[nodiscard]] uint32_t lone_main(const HtmlTree& tree);

/// Whether a headline or an article lies in a part. Cost: its nodes.
[[nodiscard]] bool holds_headline(const HtmlTree& tree, uint32_t part);

/// Returns the smallest part around `root` that holds half of the text of `region`, where `root` lies in it, and a
/// quarter of that of the page: lists, shops, forums and texts that are cut into sections have no part that wins by its
/// paragraphs, and what wins on them is a notice or one section. Text in links does not count. A part with 2,500 bytes
/// of sentences, or half of all, stays as it is.
[[nodiscard]] uint32_t cover(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, uint32_t root);

/// Adds the parts that stand beside a chosen one, or beside what holds it within `region`, and are of its kind: of its
/// tag and class, with sentences and little in links, without a headline, and not called otherwise. Builders of pages
/// cut a text into such parts.
void add_alike(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, HtmlChoice& choice);

}  // namespace neardup::text
