#include "neardup/text/html_cover.h"

namespace neardup::text {
namespace {

bool is_main(const HtmlNode& node) { return node.tag == Tag::kMain || (node.marks & kMainRole) != 0; }

bool is_within(const HtmlTree& tree, uint32_t node, uint32_t part) {
  return part <= node && node < tree.nodes[part].end;
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
  if (region != 0 && is_within(tree, root, region)) {
    while (root != region && 2 * size(root) < size(region)) root = tree.nodes[root].parent;
  }
  while (root != 0 && 10 * size(root) < 3 * size(0)) root = tree.nodes[root].parent;
  return root;
}

}  // namespace neardup::text
