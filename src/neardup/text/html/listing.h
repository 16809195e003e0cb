// Pages that are no single text: lists, hubs, results of a search, galleries, forms.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/text/html/main.h"
#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Neighbours of one tag between which the sentences of a text are spread: they may be the items of a list.
struct HtmlRow {
  uint32_t parent = 0;
  Tag tag = Tag::kInline;
};

/// How much of what was chosen is sentences, and where they stand.
struct HtmlSentences {
  uint64_t size = 0;          // bytes
  uint32_t longest = 0;       // the block with the longest of them; 0 for none
  std::vector<HtmlRow> rows;  // each holds half of them, no member more than half of its row's
};

/// Returns the sentences of `choice`. `figures` are those of the tree without what it leaves out, or less.
/// Cost: a pass over the nodes.
[[nodiscard]] HtmlSentences sentences_of(const HtmlTree& tree, const HtmlFigures& figures, const HtmlChoice& choice);

/// Returns whether the members of a row, three of them at least, are items: headed by a link, or half of them links.
/// `figures` are those of the tree with the headings of such.
[[nodiscard]] bool lists_items(const HtmlTree& tree, const HtmlFigures& figures, const HtmlRow& row);

/// Returns whether a part is a list of links: a third of its text at least is in links.
[[nodiscard]] bool is_of_links(const HtmlFigures& figures, uint32_t part);

/// Returns whether a text is an item of a list: what holds `block`, within `region`, begins with a heading that is a
/// link, and has a neighbour of its tag and class with such a heading, of the same level. Articles need neither a link
/// nor a class in common. `alone`: an item whose heading is a link may be the only one. Whether parts are left out does
/// not count. Cost: bounded, whatever the page.
[[nodiscard]] bool is_in_item(const HtmlTree& tree, uint32_t region, uint32_t block, bool alone);

/// Whether a part has sentences and lies in an item of a list: "excerpt-footer" is what stands below the item's title.
/// Cost: bounded, whatever the page.
[[nodiscard]] bool is_in_named_item(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part);

/// Whether a part, or one that holds it within `region`, is called a side bar.
[[nodiscard]] bool is_in_side_bar(const HtmlTree& tree, uint32_t region, uint32_t part);

/// Whether a part, or one that holds it, is dropped.
[[nodiscard]] bool is_left_out(const HtmlTree& tree, const HtmlChoice& choice, uint32_t part);

}  // namespace neardup::text
