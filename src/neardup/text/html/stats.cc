// One walk over the nodes from the last to the first: all that lies below a node comes before it, so figures are summed
// up without a stack, and a page's depth costs nothing. What is dropped adds nothing to what holds it. Texts are
// measured once a page; the figures are made anew whenever something is dropped.
#include "neardup/text/html/stats.h"

#include "neardup/base/white_space.h"

namespace neardup::text {
namespace {

/// Whether the character of several bytes that ends at `end` is a comma of another script: 、 ， and the Arabic one.
bool ends_in_comma(const char* begin, const char* end) {
  if (end - begin >= 3) {
    const std::string_view last(end - 3, 3);
    if (last == "\xE3\x80\x81" || last == "\xEF\xBC\x8C") return true;
  }
  return end - begin >= 2 && end[-2] == '\xD8' && end[-1] == '\x8C';
}

void add(HtmlStats& to, const HtmlStats& from) {
  to.size += from.size;
  to.link_size += from.link_size;
  to.list_size += from.list_size;
  to.heading_size += from.heading_size;
  to.commas += from.commas;
  to.paragraphs += from.paragraphs;
  to.items += from.items;
  to.images += from.images;
  to.embeds += from.embeds;
  to.inputs += from.inputs;
}

void finish(const HtmlNode& node, HtmlStats& stats) {
  switch (node.tag) {
    case Tag::kA:
      stats.link_size = stats.size;
      break;
    case Tag::kUl:
    case Tag::kOl:
    case Tag::kDl:
      stats.list_size = stats.size;
      break;
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
      stats.heading_size = stats.size;
      break;
    case Tag::kP:
      ++stats.paragraphs;
      break;
    case Tag::kLi:
      ++stats.items;
      break;
    case Tag::kImage:
      ++stats.images;
      break;
    case Tag::kEmbed:
      ++stats.embeds;
      break;
    case Tag::kInput:
      stats.inputs += (node.marks & kHidden) == 0 ? 1 : 0;
      break;
    default:
      break;
  }
}

}  // namespace

TextSize measure_text(std::string_view text) {
  TextSize found;
  bool after_space = true;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin; at < end; ++at) {
    const char c = *at;
    if (is_white_space(c)) {
      found.size += after_space ? 0 : 1;
      after_space = true;
      continue;
    }
    after_space = false;
    ++found.size;
    if (c == ',') {
      ++found.commas;
    } else if (c == '\x81' || c == '\x8C') {
      found.commas += ends_in_comma(begin, at + 1) ? 1 : 0;
    }
  }
  if (found.size != 0 && after_space) --found.size;
  return found;
}

void measure_texts(const HtmlTree& tree, std::vector<TextSize>& sizes) {
  sizes.assign(tree.nodes.size(), {});
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].tag == Tag::kText) sizes[i] = measure_text(tree.nodes[i].text);
  }
}

void sum_up(const HtmlTree& tree, const std::vector<TextSize>& sizes, const std::vector<uint8_t>& dropped,
            HtmlFigures& figures) {
  const size_t count = tree.nodes.size();
  figures.all.assign(count, {});
  figures.own.assign(count, {});
  figures.own_links.assign(count, 0);
  figures.breaks.assign(count, 0);
  figures.has_block.assign(count, 0);
  for (size_t i = count; i-- > 0;) {
    const HtmlNode& node = tree.nodes[i];
    if (dropped[i] != 0) continue;
    HtmlStats& stats = figures.all[i];
    if (node.tag == Tag::kText) {
      stats.size = sizes[i].size;
      stats.commas = sizes[i].commas;
      figures.own[i] = sizes[i];
    }
    finish(node, stats);
    if (node.tag == Tag::kA) figures.own_links[i] = figures.own[i].size;
    if (i == 0) break;
    add(figures.all[node.parent], stats);
    if (is_block(node.tag)) {
      figures.has_block[node.parent] = 1;
    } else {
      figures.own[node.parent].size += figures.own[i].size;
      figures.own[node.parent].commas += figures.own[i].commas;
      figures.own_links[node.parent] += figures.own_links[i];
      figures.breaks[node.parent] += figures.breaks[i] + (node.tag == Tag::kBr ? 1 : 0);
      figures.has_block[node.parent] |= figures.has_block[i];
    }
  }
}

}  // namespace neardup::text
