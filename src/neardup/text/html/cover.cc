// Votes of paragraphs find a text that is one part. A page whose text is many parts (a shop, a forum, a list, an
// article in sections) has none that wins by its paragraphs, and what wins on it may be a notice. So what was chosen
// must hold a fair share of the page, or be a text of its own however much stands around it. The numbers were chosen on
// sets of pages; what they give: docs/html.md, "How well"; what was tried: bench/DEAD_ENDS.md.
#include "neardup/text/html/cover.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "neardup/text/html/hints.h"

namespace neardup::text {
namespace {

constexpr uint64_t kWholeText = 2500;  // bytes of sentences of a text that needs no more around it
constexpr uint64_t kLeastAlike = 80;   // bytes of sentences of a further part of the text
constexpr uint64_t kShortText = 300;   // the same where there are no more elsewhere

bool is_main(const HtmlNode& node) { return node.tag == Tag::kMain || (node.marks & kMainRole) != 0; }

bool is_within(const HtmlTree& tree, uint32_t node, uint32_t part) {
  return part <= node && node < tree.nodes[part].end;
}

/// Returns how many bytes of sentences a part has.
uint64_t prose_bytes(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part) {
  uint64_t bytes = 0;
  for (uint32_t i = part; i < tree.nodes[part].end; ++i) {
    if (is_block(tree.nodes[i].tag) && is_prose(figures, i)) bytes += figures.own[i].size;
  }
  return bytes;
}

/// Whether a part is a text of its own, however much stands around it.
bool is_whole_text(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, uint32_t part) {
  const uint64_t prose = prose_bytes(tree, figures, part);
  return prose >= kWholeText || (prose >= kShortText && 2 * prose >= prose_bytes(tree, figures, region));
}

bool is_article(const HtmlNode& node) {
  return node.tag == Tag::kArticle || (node.marks & kMainRole) != 0 || names_article_body(node.hints);
}

/// Whether a part is one of several that a text is cut into, as `node` is.
bool is_alike(const HtmlTree& tree, const HtmlFigures& figures, const HtmlNode& node, uint32_t part) {
  constexpr uint32_t kOther = kBoilerplate | kSuspect | kComments | kNotice | kByline | kCaptionName;
  const HtmlNode& other = tree.nodes[part];
  const HtmlStats& stats = figures.all[part];
  return other.tag == node.tag && other.name == node.name && (other.hints & kOther) == 0 &&
         stats.link_density() < 0.25f && prose_bytes(tree, figures, part) >= kLeastAlike && !holds_headline(tree, part);
}

}  // namespace

bool holds_headline(const HtmlTree& tree, uint32_t part) {
  return std::any_of(tree.nodes.begin() + part, tree.nodes.begin() + tree.nodes[part].end,
                     [](const HtmlNode& node) { return node.tag == Tag::kH1 || node.tag == Tag::kArticle; });
}

uint32_t main_region(const HtmlTree& tree, const HtmlFigures& figures) {
  uint32_t found = 0;
  for (uint32_t i = 1; i < tree.nodes.size();) {
    const bool is_large = 10 * uint64_t{figures.all[i].unlinked()} >= figures.all[0].unlinked();
    if (!is_main(tree.nodes[i]) || !is_large) {
      ++i;
      continue;
    }
    if (found != 0) return 0;
    found = i;
    i = tree.nodes[i].end;
  }
  return found;
}

uint32_t lone_main(const HtmlTree& tree) {
  uint32_t found = 0;
  for (uint32_t i = 1; i < tree.nodes.size();) {
    if (!is_main(tree.nodes[i])) {
      ++i;
      continue;
    }
    if (std::exchange(found, i) != 0) return 0;
    i = tree.nodes[i].end;
  }
  return found;
}

uint32_t cover(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, uint32_t root) {
  const auto size = [&figures](uint32_t part) { return uint64_t{figures.all[part].unlinked()}; };
  if (is_whole_text(tree, figures, region, root)) return root;
  if (region != 0 && is_within(tree, root, region)) {
    // Upwards only, and a part has one parent: so this ends at the region or the page.
    while (root != region && 2 * size(root) < size(region)) root = tree.nodes[root].parent;
  }
  while (root != 0 && 4 * size(root) < size(0)) root = tree.nodes[root].parent;
  return root;
}

void add_alike(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, HtmlChoice& choice) {
  if (choice.roots.empty()) return;
  std::vector<uint32_t> found = choice.roots;
  // Roots are ascending, and none holds another one.
  const auto is_held = [&](uint32_t part) {
    const auto next = std::ranges::lower_bound(choice.roots, part);
    const bool holds_root = next != choice.roots.end() && *next < tree.nodes[part].end;
    return holds_root || (next != choice.roots.begin() && part < tree.nodes[*std::prev(next)].end);
  };
  for (uint32_t part = choice.roots.front(); part != region && part != 0; part = tree.nodes[part].parent) {
    const HtmlNode& node = tree.nodes[part];
    if (is_article(node)) break;  // what stands beside it is no more of it
    if (node.name == 0 || (node.tag != Tag::kDiv && node.tag != Tag::kSection)) continue;
    for (uint32_t i = node.parent + 1; i < tree.nodes[node.parent].end; i = tree.nodes[i].end) {
      if (choice.dropped[i] == 0 && !is_held(i) && is_alike(tree, figures, node, i)) found.push_back(i);
    }
  }
  std::ranges::sort(found);
  choice.roots = std::move(found);
}

}  // namespace neardup::text
