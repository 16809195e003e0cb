// Many pages have the lead of an article in a block of its own, above the text and outside of what holds it;
// paragraphs' votes never reach it. It is looked for in one stretch only, from the headline to the text, and given up
// where it grows too long to be a lead. Leads of 40 bytes, or in headings, find nothing more and take names and dates
// for leads (bench/DEAD_ENDS.md).
#include "neardup/text/html/lead.h"

#include <algorithm>

#include "neardup/text/html/hints.h"

namespace neardup::text {
namespace {

constexpr uint32_t kLeastLead = 60;
constexpr uint32_t kMostLead = 1500;
constexpr uint32_t kNearHeadline = 32;  // nodes before the headline of a part
constexpr uint32_t kNearPicture = 16;   // nodes between a picture and what is said of it
constexpr uint32_t kMostBetween = 400;  // bytes of other text behind the headline: names, dates

bool has_h1(const HtmlTree& tree) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(), [](const HtmlNode& node) { return node.tag == Tag::kH1; });
}

/// Returns the last h1 that ends before `first`, on pages without one the last heading; 0 for none.
uint32_t headline_before(const HtmlTree& tree, uint32_t first) {
  const bool any_heading = !has_h1(tree);
  for (uint32_t i = first; i-- > 1;) {
    const Tag tag = tree.nodes[i].tag;
    if (tag == Tag::kH1 || (any_heading && is_heading(tag))) return tree.nodes[i].end <= first ? i : 0;
  }
  return 0;
}

/// Whether nothing in it is a lead: lists, captions, names and dates.
bool is_no_lead(const HtmlNode& node) {
  constexpr uint32_t kOther = kByline | kCaptionName | kShare | kSuspect;
  const bool other_tag = is_list(node.tag) || node.tag == Tag::kA || node.tag == Tag::kTable ||
                         node.tag == Tag::kFigure || node.tag == Tag::kFigcaption;
  return other_tag || (node.hints & kOther) != 0;
}

/// Whether a picture stands before it in the same part: then it is most likely what is said of the picture.
bool is_caption(const HtmlTree& tree, uint32_t i) {
  const uint32_t parent = tree.nodes[i].parent;
  const uint32_t from = i - std::min(i - parent, kNearPicture);
  for (uint32_t at = from; at < tree.nodes[i].end; ++at) {
    if (tree.nodes[at].tag == Tag::kImage || tree.nodes[at].tag == Tag::kEmbed) return true;
  }
  return false;
}

class LeadFinder {
 public:
  LeadFinder(const HtmlTree& tree, const HtmlFigures& figures, const HtmlChoice& choice)
      : tree_(tree), figures_(figures), choice_(choice) {}

  void run(uint32_t begin, uint32_t first) {
    for (uint32_t i = begin; i < first && between_ < kMostBetween && size_ <= kMostLead;) {
      const bool holds_text = first < tree_.nodes[i].end;
      const bool is_leaf = is_block(tree_.nodes[i].tag) && figures_.has_block[i] == 0;
      if (holds_text || (!is_leaf && choice_.dropped[i] == 0 && !is_no_lead(tree_.nodes[i]))) {
        ++i;
        continue;
      }
      if (choice_.dropped[i] == 0) look_at(i);
      i = tree_.nodes[i].end;
    }
  }

  [[nodiscard]] const std::vector<uint32_t>& parts() const { return parts_; }
  [[nodiscard]] uint32_t size() const { return size_; }

 private:
  void look_at(uint32_t i) {
    const uint32_t own = figures_.own[i].size;
    const bool is_prose = own >= kLeastLead && 4 * figures_.own_links[i] < own && !is_heading(tree_.nodes[i].tag);
    if (is_no_lead(tree_.nodes[i]) || !is_prose || is_caption(tree_, i)) {
      between_ += figures_.all[i].unlinked();
      return;
    }
    parts_.push_back(i);
    size_ += own;
  }

  const HtmlTree& tree_;
  const HtmlFigures& figures_;
  const HtmlChoice& choice_;
  std::vector<uint32_t> parts_;  // of the lead, in the order of the page
  uint32_t size_ = 0;            // bytes of them
  uint32_t between_ = 0;         // bytes that are none: too many, and the rest is something else
};

}  // namespace

bool begins_with_headline(const HtmlTree& tree, uint32_t part) {
  const uint32_t end = std::min(tree.nodes[part].end, part + kNearHeadline);
  for (uint32_t i = part + 1; i < end; ++i) {
    if (tree.nodes[i].tag == Tag::kH1) return true;
  }
  return false;
}

void add_lead(const HtmlTree& tree, const HtmlFigures& figures, HtmlChoice& choice) {
  if (choice.roots.empty()) return;
  const uint32_t first = choice.roots.front();
  const uint32_t headline = headline_before(tree, first);
  if (headline == 0) return;
  LeadFinder finder(tree, figures, choice);
  finder.run(tree.nodes[headline].end, first);
  uint64_t chosen = 0;
  for (const uint32_t root : choice.roots) chosen += figures.all[root].size;
  if (finder.size() > kMostLead || 2 * uint64_t{finder.size()} > chosen) return;
  choice.roots.insert(choice.roots.begin(), finder.parts().begin(), finder.parts().end());
}

}  // namespace neardup::text
