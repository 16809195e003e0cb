// Within a text that was chosen, furniture is thrown away by what it is made of: links, fields, few commas. Names only
// add to that, and count for nothing where parts of suspicious names hold more than three tenths of the text. Parts
// that are large or wordy, mostly a quotation, or begin with a headline (there may be the lead) stay. docs/html.md,
// "Within it"; what was tried: bench/DEAD_ENDS.md.
#include "neardup/text/html/clean.h"

#include <algorithm>
#include <string>

#include "neardup/text/html/hints.h"
#include "neardup/text/html/lead.h"
#include "neardup/text/html/render.h"

namespace neardup::text {
namespace {

constexpr uint32_t kManyCommas = 10;   // prose, not a list of links
constexpr uint32_t kSomeCommas = 5;    // the same where few links are
constexpr uint32_t kLeastLarge = 200;  // bytes of a part that is not thrown away lightly
constexpr uint32_t kFewCommas = 2;     // below: no prose
constexpr uint32_t kShareSize = 500;   // a larger part is no share bar
constexpr uint32_t kBylineSize = 100;
constexpr uint32_t kNearQuotation = 16;  // nodes before what a part quotes

float weight_of(uint32_t hints) {
  return ((hints & kContent) != 0 ? 25.0f : 0.0f) - ((hints & kSuspect) != 0 ? 25.0f : 0.0f);
}

bool is_list_of_text(const HtmlNode& node, const HtmlStats& stats) {
  return node.tag == Tag::kUl || node.tag == Tag::kOl ||
         static_cast<float>(stats.list_size) > 0.9f * static_cast<float>(stats.size);
}

bool is_judged(Tag tag) {
  switch (tag) {
    case Tag::kForm:
    case Tag::kFieldset:
    case Tag::kTable:
    case Tag::kUl:
    case Tag::kOl:
    case Tag::kDl:
    case Tag::kDiv:
    case Tag::kSection:
    case Tag::kHeader:
      return true;
    default:
      return false;
  }
}

/// What names and links count for depends on the text that is cleaned.
struct Whole {
  uint64_t size;
  bool
      heeds_names;  // false where parts of suspicious names hold much of it: builders of pages call everything "widget"
};

bool is_large(const HtmlStats& stats, const Whole& whole) {
  return stats.size >= kLeastLarge && stats.size * uint64_t{100} >= whole.size * 15;
}

bool is_furniture_by_name(const HtmlStats& stats, const Whole& whole) {
  const bool is_prose = stats.commas >= kFewCommas && stats.link_density() <= 0.2f;
  return whole.heeds_names && !is_large(stats, whole) && !is_prose;
}

/// Whether a container within the text is furniture: few commas, and links, fields or nothing but a few words.
bool is_furniture(const HtmlNode& node, const HtmlStats& stats, const Whole& whole) {
  const float weight = weight_of(node.hints);
  if (weight < 0 && is_furniture_by_name(stats, whole)) return true;
  const float density = stats.link_density();
  if (stats.commas >= (density < 0.3f ? kSomeCommas : kManyCommas)) return false;
  const bool list = is_list_of_text(node, stats);
  if (!list && stats.items > stats.paragraphs + 100) return true;
  if (3 * stats.inputs > stats.paragraphs) return true;
  if (!list && weight < 25 && density > (is_large(stats, whole) ? 0.5f : 0.2f)) return true;
  if (weight >= 25 && density > 0.5f) return true;
  if (list && density > 0.8f) return true;
  return false;
}

/// Whether what it holds is mostly a quotation, such as a post of another site.
bool holds_quotation(const HtmlTree& tree, uint32_t part, const HtmlFigures& figures) {
  const uint32_t end = std::min(tree.nodes[part].end, part + kNearQuotation);
  for (uint32_t i = part + 1; i < end; ++i) {
    if (tree.nodes[i].tag == Tag::kBlockquote) return 4 * figures.all[i].size > 3 * figures.all[part].size;
  }
  return false;
}

/// Whether a cell is a column of links beside the text, in a table that lays out the page.
bool is_column_of_links(const HtmlNode& node, uint32_t i, const HtmlFigures& figures) {
  const HtmlStats& stats = figures.all[i];
  if (node.tag != Tag::kTd || stats.link_density() < 0.8f) return false;
  return (figures.breaks[i] >= 2 || stats.items >= 3) && 4 * stats.size < figures.all[node.parent].size;
}

Whole measure_whole(const HtmlTree& tree, uint32_t root, const HtmlFigures& figures,
                    const std::vector<uint8_t>& dropped) {
  const uint64_t size = figures.all[root].size;
  uint64_t suspicious = 0;
  for (uint32_t i = root + 1; i < tree.nodes[root].end;) {
    const HtmlNode& node = tree.nodes[i];
    const bool counts = dropped[i] == 0 && is_judged(node.tag) && weight_of(node.hints) < 0;
    suspicious += counts ? figures.all[i].size : 0;
    i = counts ? node.end : i + 1;
  }
  return {.size = size, .heeds_names = suspicious * 10 <= size * 3};
}

bool is_dropped_within(const HtmlTree& tree, const Whole& whole, uint32_t i, const HtmlFigures& figures) {
  const HtmlNode& node = tree.nodes[i];
  const HtmlStats& stats = figures.all[i];
  if (node.tag == Tag::kText) return false;
  if ((node.hints & kComments) != 0 && 2 * uint64_t{stats.size} < whole.size) return true;
  if ((node.hints & kCaptionName) != 0) return true;
  if ((node.hints & (kShare | kKeep)) == kShare && stats.size < kShareSize) return true;
  if ((node.hints & kByline) != 0 && stats.size < kBylineSize) return true;
  if ((node.tag == Tag::kH1 || node.tag == Tag::kH2) && weight_of(node.hints) < 0) return true;

  if (node.tag == Tag::kP && stats.size >= 20 && 20 * figures.own_links[i] >= 19 * figures.own[i].size) return true;
  if (is_column_of_links(node, i, figures)) return true;
  if (is_list(node.tag) && tree.nodes[node.parent].tag == Tag::kLi) return false;  // belongs to its item
  // Beside a headline there may be the lead, whatever names and links stand there, too.
  return is_judged(node.tag) && is_furniture(node, stats, whole) && !begins_with_headline(tree, i) &&
         !holds_quotation(tree, i, figures);
}

std::string trimmed(std::string text) {
  if (text.ends_with(' ')) text.pop_back();
  return text.starts_with(' ') ? text.substr(1) : text;
}

/// Whether a heading is the page's title, or a part of it: titles have the site's name, too.
bool repeats_title(const HtmlTree& tree, uint32_t heading) {
  std::string text;
  for (uint32_t i = heading + 1; i < tree.nodes[heading].end; ++i) append_collapsed(tree.nodes[i].text, text);
  text = trimmed(std::move(text));
  for (const std::string_view title : {tree.title, tree.og_title}) {
    std::string collapsed;
    append_collapsed(title, collapsed);
    if (!text.empty() && collapsed.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

void clean_part(const HtmlTree& tree, uint32_t root, const HtmlFigures& figures, std::vector<uint8_t>& dropped) {
  const Whole whole = measure_whole(tree, root, figures, dropped);
  bool headline = false;  // the first h1 is the page's headline
  for (uint32_t i = root + 1; i < tree.nodes[root].end;) {
    const bool is_headline = tree.nodes[i].tag == Tag::kH1 && !headline;
    headline |= is_headline;
    if ((is_headline && repeats_title(tree, i)) || is_dropped_within(tree, whole, i, figures)) dropped[i] = 1;
    i = dropped[i] != 0 ? tree.nodes[i].end : i + 1;
  }
}

}  // namespace neardup::text
