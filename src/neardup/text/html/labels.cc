#include "neardup/text/html/labels.h"

#include <algorithm>
#include <string>

#include "neardup/text/html/hints.h"
#include "neardup/text/html/phrases.h"
#include "neardup/text/html/render.h"
#include "neardup/text/mask.h"

namespace neardup::text {
namespace {

constexpr uint32_t kLabelSize = 64;      // bytes of a longer text are no heading of others
constexpr uint32_t kEnoughBefore = 300;  // bytes of sentences before what is dropped by its heading alone
constexpr uint32_t kBylineLabelSize = 200;
constexpr uint32_t kBylineRest = 60;  // bytes of it that are no date
constexpr int kMostBylines = 4;
constexpr uint32_t kAlone = 25;
constexpr uint32_t kNearHeading = 8;  // nodes before the heading of a section

/// A block without blocks below it: a paragraph, a heading, an item.
bool is_leaf(const HtmlTree& tree, const HtmlFigures& figures, uint32_t i) {
  return is_block(tree.nodes[i].tag) && figures.has_block[i] == 0 && figures.own[i].size != 0;
}

void text_of(const HtmlTree& tree, uint32_t i, const std::vector<uint8_t>& dropped, std::string& out) {
  out.clear();
  for (uint32_t at = i + 1; at < tree.nodes[i].end;) {
    if (dropped[at] != 0) {
      at = tree.nodes[at].end;
      continue;
    }
    append_collapsed(tree.nodes[at].text, out);
    ++at;
  }
  if (out.ends_with(' ')) out.pop_back();
}

class Headed {
 public:
  Headed(const HtmlTree& tree, const HtmlFigures& figures, std::vector<uint8_t>& dropped)
      : tree_(tree), figures_(figures), dropped_(dropped) {}

  void run() {
    uint32_t before = 0;
    for (uint32_t i = 1; i < tree_.nodes.size();) {
      if (dropped_[i] == 0 && tree_.nodes[i].tag == Tag::kText && figures_.all[i].size != 0) last_text_ = i;
      if (dropped_[i] == 0 && is_leaf(tree_, figures_, i)) {
        if (is_prose(figures_, i)) before += figures_.own[i].size;
        if (const uint32_t says = label(i); says != 0) drop_part(i, (says & kOthers) != 0 && before >= kEnoughBefore);
      }
      i = dropped_[i] != 0 ? tree_.nodes[i].end : i + 1;
    }
  }

 private:
  uint32_t label(uint32_t i) {
    const uint32_t size = figures_.own[i].size;
    if (size < 4 || size > kLabelSize || 2 * figures_.own_links[i] > size) return kNoPhrase;
    text_of(tree_, i, dropped_, text_);
    return phrases_of(text_) & (kOthers | kPointer);
  }

  /// `sure`: the heading says it clearly, and the page has had its text.
  void drop_part(uint32_t heading, bool sure) {
    uint32_t part = heading;
    uint32_t parent = tree_.nodes[part].parent;
    while (parent != 0 && figures_.all[parent].size == figures_.all[heading].size) {
      part = parent;
      parent = tree_.nodes[part].parent;
    }
    const HtmlStats& all = figures_.all[parent];
    const bool small = 4 * all.unlinked() <= figures_.all[0].unlinked() && all.link_density() >= 0.3f;
    const Tag tag = tree_.nodes[parent].tag;
    if ((sure || small) && tag != Tag::kBody && tag != Tag::kHtml && tag != Tag::kMain && last_text_ < parent) {
      dropped_[parent] = 1;
      dropped_[heading] = 1;  // ends the walk here; all behind it within the parent is passed over below
      mark_below(parent);
      return;
    }
    drop_followers(part, parent);
  }

  /// The walk is inside of `parent` already.
  void mark_below(uint32_t parent) {
    for (uint32_t i = parent + 1; i < tree_.nodes[parent].end; i = tree_.nodes[i].end) dropped_[i] = 1;
  }

  void drop_followers(uint32_t part, uint32_t parent) {
    bool any = false;
    for (uint32_t i = tree_.nodes[part].end; i < tree_.nodes[parent].end; i = tree_.nodes[i].end) {
      const HtmlStats& stats = figures_.all[i];
      if (is_heading(tree_.nodes[i].tag)) break;
      if (dropped_[i] != 0 || stats.size == 0) continue;
      if (stats.link_density() < 0.5f) break;
      dropped_[i] = 1;
      any = true;
    }
    if (any) dropped_[part] = 1;
  }

  const HtmlTree& tree_;
  const HtmlFigures& figures_;
  std::vector<uint8_t>& dropped_;
  std::string text_;
  uint32_t last_text_ = 0;  // before the node that the walk is at
};

class Borders {
 public:
  Borders(const HtmlTree& tree, const HtmlFigures& figures, std::vector<uint8_t>& dropped)
      : tree_(tree), figures_(figures), dropped_(dropped) {}

  void run(uint32_t begin, uint32_t end) {
    collect(begin, end);
    for (const uint32_t leaf : leaves_) {
      if (is_pointer(leaf)) dropped_[leaf] = 1;
    }
    clean_start();
    clean_end();
  }

 private:
  void collect(uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end;) {
      if (dropped_[i] != 0) {
        i = tree_.nodes[i].end;
        continue;
      }
      if (is_leaf(tree_, figures_, i) || stands_alone(i)) leaves_.push_back(i);
      ++i;
    }
  }

  /// Text beside blocks: nothing is known of it, so nothing is looked for beyond it.
  [[nodiscard]] bool stands_alone(uint32_t i) const {
    if (tree_.nodes[i].tag != Tag::kText || figures_.all[i].size < kAlone) return false;
    uint32_t block = tree_.nodes[i].parent;
    while (block != 0 && !is_block(tree_.nodes[block].tag)) block = tree_.nodes[block].parent;
    return figures_.has_block[block] != 0;
  }

  /// "Read more: ", and a link.
  bool is_pointer(uint32_t leaf) {
    if (tree_.nodes[leaf].tag == Tag::kText) return false;
    const uint32_t size = figures_.own[leaf].size;
    const uint32_t links = figures_.own_links[leaf];
    if (size > kMaxPhraseBytes || 2 * links < size || size - links > 40 || is_heading(tree_.nodes[leaf].tag))
      return false;
    text_of(tree_, leaf, dropped_, text_);
    return (phrases_of(text_) & (kOthers | kPointer)) != 0;
  }

  void clean_start() {
    const auto prose = [this](uint32_t leaf) {
      return tree_.nodes[leaf].tag != Tag::kText && dropped_[leaf] == 0 && is_prose(figures_, leaf);
    };
    if (std::none_of(leaves_.begin(), leaves_.end(), prose)) return;
    int num_dropped = 0;
    for (const uint32_t leaf : leaves_) {
      if (dropped_[leaf] != 0) continue;
      if (tree_.nodes[leaf].tag == Tag::kText || (is_prose(figures_, leaf) && !is_byline(leaf))) return;
      if (is_byline(leaf) && num_dropped++ < kMostBylines) dropped_[leaf] = 1;
    }
  }

  /// Who and when: names or words of publishing, or a date and little else; no sentence.
  bool is_byline(uint32_t leaf) {
    if (figures_.own[leaf].size > kBylineLabelSize || is_heading(tree_.nodes[leaf].tag)) return false;
    text_of(tree_, leaf, dropped_, text_);
    mask(text_, kMaskDates | kMaskTimes, masked_, &parts_);
    size_t dates = 0;
    for (const MaskedPart& part : parts_) dates += part.size;
    const size_t rest = text_.size() - std::min(text_.size(), dates);
    if (rest > kBylineRest) return false;
    const bool ends_as_sentence = masked_.ends_with('.') || masked_.ends_with("。") || masked_.ends_with('?') ||
                                  masked_.ends_with('!') || masked_.ends_with('"');
    if (ends_as_sentence) return false;
    return dates != 0 || (phrases_of(text_) & kPublished) != 0;
  }

  void clean_end() {
    for (auto at = leaves_.rbegin(); at != leaves_.rend(); ++at) {
      if (dropped_[*at] != 0) continue;
      if (tree_.nodes[*at].tag == Tag::kText) return;
      if (!is_heading(tree_.nodes[*at].tag) && !is_call(*at)) return;
      dropped_[*at] = 1;
    }
  }

  bool is_call(uint32_t leaf) {
    if (figures_.own[leaf].size > kMaxPhraseBytes) return false;
    text_of(tree_, leaf, dropped_, text_);
    const uint32_t says = phrases_of(text_);
    if ((says & kCredit) != 0) return true;
    if ((says & kOthers) != 0 && figures_.own[leaf].size <= kLabelSize) return true;
    return asks_to_follow(text_) && (figures_.own_links[leaf] != 0 || text_.find('@') != std::string::npos);
  }

  const HtmlTree& tree_;
  const HtmlFigures& figures_;
  std::vector<uint8_t>& dropped_;
  std::vector<uint32_t> leaves_;
  std::string text_;
  std::string masked_;
  std::vector<MaskedPart> parts_;
};

/// Takes letters and digits alone, in small letters; `num_words` are the runs of them.
std::string plain_letters(std::string_view text, size_t& num_words) {
  std::string out;
  bool in_word = false;
  num_words = 0;
  for (const char c : text) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const bool letter = (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
    num_words += letter && !in_word ? 1 : 0;
    in_word = letter;
    if (letter) out.push_back(small);
  }
  return out;
}

}  // namespace

bool repeats_heading(const HtmlTree& tree, const HtmlFigures& figures, const HtmlId& id) {
  const HtmlStats& all = figures.all[id.node];
  if (all.unlinked() < kEnoughBefore || all.link_density() > 0.3f) return false;
  size_t num_words = 0;
  const std::string name = plain_letters(id.id, num_words);
  const bool is_usual = (tree.nodes[id.node].hints & (kComments | kNotice)) != 0;
  if (num_words < (is_usual ? 3 : 2)) return false;
  const uint32_t end = std::min(tree.nodes[id.node].end, id.node + kNearHeading);
  for (uint32_t i = id.node + 1; i < end; ++i) {
    if (!is_heading(tree.nodes[i].tag)) continue;
    std::string heading;
    for (uint32_t at = i + 1; at < tree.nodes[i].end; ++at) append_collapsed(tree.nodes[at].text, heading);
    return plain_letters(heading, num_words) == name;
  }
  return false;
}

void drop_headed(const HtmlTree& tree, const HtmlFigures& figures, std::vector<uint8_t>& dropped) {
  Headed(tree, figures, dropped).run();
}

void clean_borders(const HtmlTree& tree, uint32_t begin, uint32_t end, const HtmlFigures& figures,
                   std::vector<uint8_t>& dropped) {
  Borders(tree, figures, dropped).run(begin, end);
}

}  // namespace neardup::text
