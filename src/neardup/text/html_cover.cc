#include "neardup/text/html_cover.h"

namespace neardup::text {
namespace {

constexpr uint64_t kWholeText = 2500;  // bytes of sentences of a text that needs no more around it
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

}  // namespace

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

uint32_t cover(const HtmlTree& tree, const HtmlFigures& figures, uint32_t region, uint32_t root) {
  const auto size = [&figures](uint32_t part) { return uint64_t{figures.all[part].unlinked()}; };
  if (is_whole_text(tree, figures, region, root)) return root;
  if (region != 0 && is_within(tree, root, region)) {
    while (root != region && 2 * size(root) < size(region)) root = tree.nodes[root].parent;
  }
  while (root != 0 && 4 * size(root) < size(0)) root = tree.nodes[root].parent;
  return root;
}

}  // namespace neardup::text
