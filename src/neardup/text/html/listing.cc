// Votes of paragraphs find one text. Of a page that lists others they find the excerpts without the titles, or the
// words of a side bar. What tells a list with excerpts is that its sentences are spread over neighbours of one kind,
// each with a link to what it stands for; what tells any other page without a text is that it has hardly any sentences.
#include "neardup/text/html/listing.h"

#include <algorithm>
#include <tuple>

#include "neardup/text/html/hints.h"

namespace neardup::text {
namespace {

constexpr size_t kLeastItems = 3;
constexpr uint32_t kNearItemHeading = 48;  // nodes before the heading of a part, or within one
constexpr uint32_t kLeastItemText = 25;    // bytes outside of links of a part of an item
constexpr int kMostAbove = 24;             // parts around a block
constexpr uint64_t kLeastLinkBytes = 8;    // of an item that is half links

bool may_be_item(Tag tag) {
  switch (tag) {
    case Tag::kLi:
    case Tag::kArticle:
    case Tag::kDiv:
    case Tag::kSection:
    case Tag::kTr:
    case Tag::kDd:
      return true;
    default:
      return false;
  }
}

/// Whether a heading that is a link lies in a part.
bool has_linked_heading(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part) {
  for (uint32_t i = part; i < tree.nodes[part].end; ++i) {
    const HtmlStats& stats = figures.all[i];
    if (!is_heading(tree.nodes[i].tag) || stats.size == 0) continue;
    if (tree.nodes[tree.nodes[i].parent].tag == Tag::kA) return true;
    if (5 * uint64_t{stats.link_size} >= 4 * uint64_t{stats.size}) return true;
  }
  return false;
}

bool is_item(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part) {
  const HtmlStats& stats = figures.all[part];
  const bool is_linked = stats.link_size >= kLeastLinkBytes && 2 * uint64_t{stats.link_size} >= stats.size;
  return is_linked || has_linked_heading(tree, figures, part);
}

/// Whether most of the text of a heading is a link, whether or not it was left out: not the sign for its own place.
bool is_linked_heading(const HtmlTree& tree, uint32_t heading) {
  if (tree.nodes[tree.nodes[heading].parent].tag == Tag::kA) return true;
  uint64_t size = 0, linked = 0;
  uint32_t link_end = 0;
  const uint32_t end = std::min(tree.nodes[heading].end, heading + kNearItemHeading);
  for (uint32_t i = heading + 1; i < end; ++i) {
    if (tree.nodes[i].tag == Tag::kA) link_end = std::max(link_end, tree.nodes[i].end);
    const uint32_t own = measure_text(tree.nodes[i].text).size;
    size += own;
    linked += i < link_end ? own : 0;
  }
  return linked != 0 && 5 * linked >= 4 * size;
}

/// The heading that a part begins with.
struct Headline {
  Tag tag = Tag::kText;  // none
  bool is_link = false;

  bool operator==(const Headline&) const = default;
};

Headline headline_of(const HtmlTree& tree, uint32_t part) {
  const uint32_t end = std::min(tree.nodes[part].end, part + kNearItemHeading);
  for (uint32_t i = part + 1; i < end; ++i) {
    if (is_heading(tree.nodes[i].tag)) return {tree.nodes[i].tag, is_linked_heading(tree, i)};
  }
  return {};
}

/// Whether `other` is of the kind of a part, and headed as it is. Classes of articles number them.
bool is_item_like(const HtmlTree& tree, uint32_t part, const Headline& headline, uint32_t other) {
  const HtmlNode &a = tree.nodes[part], &b = tree.nodes[other];
  if (other == part || a.tag != b.tag || (a.name != b.name && a.tag != Tag::kArticle)) return false;
  return headline_of(tree, other) == headline;
}

/// Whether a neighbour of a part is alike: one of the next ones, or of the first ones.
bool has_neighbour_item(const HtmlTree& tree, uint32_t part, const Headline& headline) {
  constexpr int kNearNeighbours = 16;
  const uint32_t parent = tree.nodes[part].parent;
  for (const uint32_t first : {tree.nodes[part].end, parent + 1}) {
    uint32_t i = first;
    for (int count = 0; count < kNearNeighbours && i < tree.nodes[parent].end; ++count, i = tree.nodes[i].end) {
      if (is_item_like(tree, part, headline, i)) return true;
    }
  }
  return false;
}

struct RowMember {
  HtmlRow row;
  uint64_t size = 0;  // bytes of sentences

  [[nodiscard]] auto key() const { return std::tuple(row.parent, row.tag); }
};

/// Fills `rows` from their members.
void gather_rows(std::vector<RowMember>& members, HtmlSentences& sentences) {
  std::ranges::sort(members, {}, &RowMember::key);
  for (size_t first = 0, i = 0; i < members.size(); first = i) {
    uint64_t size = 0, most = 0;
    for (; i < members.size() && members[i].key() == members[first].key(); ++i) {
      size += members[i].size;
      most = std::max(most, members[i].size);
    }
    const bool is_spread = i - first >= kLeastItems && 2 * most < size;
    if (is_spread && 2 * size >= sentences.size) sentences.rows.push_back(members[first].row);
  }
}

}  // namespace

HtmlSentences sentences_of(const HtmlTree& tree, const HtmlFigures& figures, const HtmlChoice& choice) {
  HtmlSentences sentences;
  std::vector<uint64_t> sizes(tree.nodes.size(), 0);  // of each node and all below
  for (const uint32_t root : choice.roots) {
    for (uint32_t i = root; i < tree.nodes[root].end; i = choice.dropped[i] != 0 ? tree.nodes[i].end : i + 1) {
      if (choice.dropped[i] != 0 || !is_block(tree.nodes[i].tag) || !is_prose(figures, i)) continue;
      sizes[i] = figures.own[i].size;
      sentences.size += sizes[i];
      if (sentences.longest == 0 || sizes[i] > sizes[sentences.longest]) sentences.longest = i;
    }
  }
  std::vector<RowMember> members;
  for (auto i = static_cast<uint32_t>(tree.nodes.size()); i-- > 1;) {
    const HtmlNode& node = tree.nodes[i];
    if (sizes[i] == 0) continue;
    sizes[node.parent] += sizes[i];
    if (may_be_item(node.tag)) members.push_back({{node.parent, node.tag}, sizes[i]});
  }
  gather_rows(members, sentences);
  return sentences;
}

bool lists_items(const HtmlTree& tree, const HtmlFigures& figures, const HtmlRow& row) {
  size_t items = 0, others = 0;
  for (uint32_t i = row.parent + 1; i < tree.nodes[row.parent].end; i = tree.nodes[i].end) {
    if (tree.nodes[i].tag != row.tag || figures.all[i].size == 0) continue;
    ++(is_item(tree, figures, i) ? items : others);
  }
  return items >= kLeastItems && items > others;
}

bool is_of_links(const HtmlFigures& figures, uint32_t part) {
  const uint64_t links = figures.all[part].link_size;
  return links != 0 && 3 * links >= figures.all[part].size;
}

bool is_in_item(const HtmlTree& tree, uint32_t region, uint32_t block, bool alone) {
  int above = 0;
  for (uint32_t part = block; part != region && part != 0 && above < kMostAbove; part = tree.nodes[part].parent) {
    ++above;
    if (!may_be_item(tree.nodes[part].tag)) continue;
    const Headline headline = headline_of(tree, part);
    // Headings that are no links tell items in articles alone: cards whose link lies over all of them.
    const bool may_head = headline.is_link || (tree.nodes[part].tag == Tag::kArticle && headline.tag > Tag::kH1);
    if (!may_head) continue;
    if ((alone && headline.is_link) || has_neighbour_item(tree, part, headline)) return true;
  }
  return false;
}

bool is_in_named_item(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part) {
  if ((tree.nodes[part].hints & (kNotice | kComments | kShare | kSideBar)) != 0) return false;
  const HtmlStats& stats = figures.all[part];
  return stats.unlinked() >= kLeastItemText && stats.link_density() < 0.25f && is_in_item(tree, 0, part, false);
}

bool is_in_side_bar(const HtmlTree& tree, uint32_t region, uint32_t part) {
  for (; part != region && part != 0; part = tree.nodes[part].parent) {
    if ((tree.nodes[part].hints & kSideBar) != 0) return true;
  }
  return false;
}

bool is_left_out(const HtmlTree& tree, const HtmlChoice& choice, uint32_t part) {
  while (part != 0 && choice.dropped[part] == 0) part = tree.nodes[part].parent;
  return part != 0;
}

}  // namespace neardup::text
