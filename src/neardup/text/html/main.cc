// Rules that can be followed by hand, not a model: votes of paragraphs find the article, names and tags throw away what
// stands around it (docs/html.md, "What is left out"; what was tried without gain: bench/DEAD_ENDS.md). A rule that is
// too strict loses a text, so there are five attempts, each of which throws away less. A looser one always finds a
// little more, so it counts only where it finds more than twice as much.
// The tree is an array in the order of the page, and a part is nodes[i .. end): to leave a part out is to go on at its
// end, and nothing is recursive. Walks to ancestors are bounded by the depth of 512 (limits.h).
#include "neardup/text/html/main.h"

#include <algorithm>
#include <array>
#include <utility>

#include "neardup/text/html/clean.h"
#include "neardup/text/html/cover.h"
#include "neardup/text/html/hints.h"
#include "neardup/text/html/labels.h"
#include "neardup/text/html/lead.h"
#include "neardup/text/html/listing.h"
#include "neardup/text/html/notice.h"

namespace neardup::text {

/// How much is thrown away: each attempt that leaves too little is followed by one that throws away less.
struct HtmlMain::Rules {
  bool by_name = false;   // classes and ids
  bool by_words = false;  // headings of lists of other pages
  bool comments = false;  // what is named or marked as comments; with by_name anyway
  bool hidden = false;    // what readers do not see
  bool clean = false;     // parts of the chosen text
  uint32_t enough = 0;    // bytes of main text that end the attempts, where they are a quarter of what the page shows
  bool whole = false;     // all that is not thrown away by the rules before, as of pages that list others

  /// What pages that list others show outside of the parts that are apart. What is hidden or goes by its name is there
  /// where it is here: it may be what was found.
  [[nodiscard]] Rules of_listing() const { return {by_name, true, true, hidden, false, 0, true}; }
};

/// What the page shows by Rules::of_listing().
struct HtmlMain::Listing {
  Rules rules;
  bool is_read = false;
  HtmlChoice choice = {};
  uint32_t size = 0;
};

namespace {

constexpr uint32_t kNone = ~uint32_t{0};
constexpr uint32_t kEnough = 500;          // bytes of main text that end the attempts in any case
constexpr uint32_t kShortMain = 150;       // the same once only comments and notices are thrown away
constexpr uint32_t kLeastParagraph = 25;   // bytes below which a paragraph does not vote
constexpr float kLeastProse = 80;          // bytes of a block that is prose
constexpr uint32_t kMostPlain = 4000;      // bytes of a page without parts that is taken whole
constexpr uint32_t kMostOfIndex = 1000;    // bytes of main text of a page that lists others
constexpr size_t kProseOfIndex = 2;        // paragraphs of sentences that it may have
constexpr uint32_t kLeastBeside = 100;     // bytes beside a side bar that has headlines
constexpr uint32_t kLeastMain = 25;        // bytes of a main part, or beside a side bar, that no script has to fill
constexpr uint64_t kLeastSentences = 300;  // bytes of sentences that are a text, whatever else was chosen
constexpr size_t kMaxVotes = 5;            // ancestors that a paragraph votes for
constexpr float kClimb = 1.15f;            // by how much more prose there must be above
constexpr float kLeaveArticle = 1.5f;      // the same above an element that is an article by its tag or name

float name_weight(uint32_t hints) {
  float weight = 0;
  if ((hints & kContent) != 0) weight += 25;
  if ((hints & kSuspect) != 0) weight -= 25;
  return weight;
}

float tag_weight(Tag tag) {
  switch (tag) {
    case Tag::kArticle:
    case Tag::kMain:
      return 10;
    case Tag::kDiv:
    case Tag::kSection:
      return 5;
    case Tag::kPre:
    case Tag::kTd:
    case Tag::kBlockquote:
      return 3;
    case Tag::kAddress:
    case Tag::kUl:
    case Tag::kOl:
    case Tag::kDl:
    case Tag::kDd:
    case Tag::kDt:
    case Tag::kLi:
    case Tag::kForm:
      return -3;
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
    case Tag::kTh:
      return -5;
    default:
      return 0;
  }
}

/// Whether one of the first nodes within a part is a panel.
bool holds_panel(const HtmlTree& tree, uint32_t i) {
  constexpr uint32_t kNear = 32;
  const uint32_t end = std::min(tree.nodes[i].end, i + kNear);
  return std::any_of(tree.nodes.begin() + i, tree.nodes.begin() + end,
                     [](const HtmlNode& node) { return (node.marks & kPanel) != 0; });
}

/// Whether a part is a button, or a list of tabs, and neither the title of a panel behind it nor what holds panels.
bool is_lone_button(const HtmlTree& tree, uint32_t i) {
  if ((tree.nodes[i].marks & kButton) == 0 || holds_panel(tree, i)) return false;
  if (is_heading(tree.nodes[tree.nodes[i].parent].tag)) return false;
  uint32_t next = tree.nodes[i].end;
  const uint32_t end = tree.nodes[tree.nodes[i].parent].end;
  while (next < end && tree.nodes[next].tag == Tag::kText) ++next;
  return next >= end || (tree.nodes[next].marks & kPanel) == 0;
}

/// Never part of the main text, whatever it is called.
bool is_apart(const HtmlNode& node, uint32_t marks) {
  switch (node.tag) {
    case Tag::kNav:
    case Tag::kAside:
    case Tag::kFooter:
    case Tag::kDialog:
      return true;
    case Tag::kHtml:
    case Tag::kBody:
    case Tag::kMain:
      return false;
    default:
      return (node.marks & marks) != 0;
  }
}

/// Tells posts of a forum from comments, though they are marked as such: those within a discussion, and those that
/// stand beside a part of the same kind that is not thrown away, the first post.
class Posts {
 public:
  explicit Posts(const HtmlTree& tree) : tree_(tree), last_child_(tree.nodes.size(), 0) {}

  /// Call for each node that is reached, in the order of the page.
  bool is_post(uint32_t i, const std::vector<uint8_t>& dropped) {
    const HtmlNode& node = tree_.nodes[i];
    if ((node.marks & kForum) != 0) forum_end_ = std::max(forum_end_, node.end);
    if (!is_block(node.tag)) return false;
    const uint32_t before = std::exchange(last_child_[node.parent], i);
    const bool is_alike = before != 0 && dropped[before] == 0 && tree_.nodes[before].tag == node.tag &&
                          tree_.nodes[before].hints == node.hints;
    return i < forum_end_ || is_alike;
  }

 private:
  const HtmlTree& tree_;
  std::vector<uint32_t> last_child_;
  uint32_t forum_end_ = 0;
};

/// Returns the innermost part that holds nine tenths of the text of `root`.
uint32_t innermost_whole(const HtmlTree& tree, const HtmlFigures& figures, uint32_t root) {
  const uint64_t least = figures.all[root].size / 10 * uint64_t{9};
  for (uint32_t i = root + 1; i < tree.nodes[root].end;) {
    const bool is_whole = is_block(tree.nodes[i].tag) && figures.all[i].size >= std::max<uint64_t>(least, 1);
    if (is_whole) root = i;
    i = is_whole ? i + 1 : tree.nodes[i].end;
  }
  return root;
}

bool is_article_element(const HtmlNode& node) {
  return node.tag == Tag::kArticle || (node.hints & (kKeep | kSubject)) == (kKeep | kSubject) ||
         (node.marks & kMainRole) != 0 || names_article_body(node.hints);
}

bool is_boilerplate_by_name(const HtmlNode& node, uint32_t heeded) {
  switch (node.tag) {
    case Tag::kHtml:
    case Tag::kBody:
    case Tag::kMain:
    case Tag::kArticle:
    case Tag::kA:
    case Tag::kText:
      return false;
    default:
      break;
  }
  if ((node.marks & (kMainRole | kArticleBody)) != 0 || is_heading(node.tag)) return false;
  if ((node.hints & kNotice) != 0) return true;
  return (node.hints & kBoilerplate) != 0 && (node.hints & heeded) != 0 && (node.hints & kKeep) == 0;
}

/// Whether a part that is called "header", and nothing worse, begins with a headline: it may hold the lead, too.
bool heads_article(const HtmlTree& tree, uint32_t i) {
  return (tree.nodes[i].hints & (kSuspect | kNotice | kComments)) == 0 && begins_with_headline(tree, i);
}

/// Whether a part is named for other things than what it holds: "entry-header" of an item of a list. Such a name says
/// less than the heading near its beginning.
bool heads_item(const HtmlTree& tree, uint32_t i) {
  constexpr uint32_t kNear = 48;  // dates and topics may stand before it
  if ((tree.nodes[i].hints & (kSuspect | kNotice | kComments)) != 0) return false;
  const uint32_t end = std::min(tree.nodes[i].end, i + kNear);
  return std::any_of(tree.nodes.begin() + i, tree.nodes.begin() + end,
                     [](const HtmlNode& node) { return is_heading(node.tag); });
}

/// Whether a page is laid out by its tags, and nothing says what its parts are, not even a heading.
bool is_plain(const HtmlTree& tree) {
  constexpr uint32_t kNames = kBoilerplate | kContent | kKeep | kSuspect | kByline;
  constexpr uint32_t kMarks = kAside | kMainRole | kArticleBody | kCommentItem | kPanel | kHidden;
  if (!tree.has_layout_tags) return false;
  return std::ranges::none_of(tree.nodes, [](const HtmlNode& node) {
    const bool is_part = (node.tag >= Tag::kSection && node.tag <= Tag::kAside) || node.tag == Tag::kDialog;
    return is_part || is_heading(node.tag) || (node.hints & kNames) != 0 || (node.marks & kMarks) != 0;
  });
}

}  // namespace

void HtmlMain::drop_apart(const HtmlTree& tree, const Rules& rules, std::vector<uint8_t>& dropped) {
  const uint32_t marks = kAside | (rules.hidden ? kHidden : 0) | (rules.comments ? kCommentItem : 0);
  dropped.assign(tree.nodes.size(), 0);
  Posts posts(tree);
  for (uint32_t i = 1; i < tree.nodes.size();) {
    const bool is_post = posts.is_post(i, dropped);
    const bool is_dropped = is_apart(tree.nodes[i], is_post ? marks & ~uint32_t{kCommentItem} : marks);
    dropped[i] = is_dropped || is_lone_button(tree, i) ? 1 : 0;
    i = dropped[i] != 0 ? tree.nodes[i].end : i + 1;
  }
  sum_up(tree, sizes_, dropped, figures_);
}

void HtmlMain::forget_false_names(HtmlTree& tree) {
  for (const HtmlId& id : tree.ids) {
    if (repeats_heading(tree, figures_, id)) tree.nodes[id.node].hints = id.hints;
  }
}

void HtmlMain::drop_by_name(const HtmlTree& tree, const Rules& rules, std::vector<uint8_t>& dropped) {
  const uint32_t heeded = rules.by_name ? kBoilerplate : rules.comments ? kComments : kNoHint;
  // A name such as "with-sidebar" on what holds the page is no reason to throw it away; comments may
  // be longer than what they are about.
  const uint32_t most = figures_.all[0].unlinked() / 2;
  constexpr int kMostAsked = 1000;  // parts of items: hostile pages have any number
  int num_asked = 0;
  Notices notices(tree, figures_, dropped);
  for (uint32_t i = 1; i < tree.nodes.size();) {
    const HtmlNode& node = tree.nodes[i];
    if (dropped[i] == 0 && notices.is_notice(i)) {  // what lies below has no vote, either
      std::fill(dropped.begin() + i, dropped.begin() + node.end, uint8_t{1});
    }
    if (dropped[i] == 0 && is_boilerplate_by_name(node, heeded) && !heads_article(tree, i) &&
        !(rules.whole && (heads_item(tree, i) || (num_asked++ < kMostAsked && is_in_named_item(tree, figures_, i)))) &&
        ((node.hints & kComments) != 0 || figures_.all[i].unlinked() <= most)) {
      dropped[i] = 1;
    }
    i = dropped[i] != 0 ? tree.nodes[i].end : i + 1;
  }
  sum_up(tree, sizes_, dropped, figures_);
}

void HtmlMain::drop_side_bars(const HtmlTree& tree, std::vector<uint8_t>& dropped) {
  // The name may be that of what holds the page.
  const auto least_beside = [&tree](uint32_t bar) { return holds_headline(tree, bar) ? kLeastBeside : kLeastMain; };
  const uint32_t region = main_region(tree, figures_);
  uint32_t left = figures_.all[region].size;
  for (uint32_t i = region + 1; i < tree.nodes[region].end;) {
    const bool is_bar = (tree.nodes[i].hints & kSideBar) != 0 && left >= figures_.all[i].size + least_beside(i);
    if (dropped[i] == 0 && is_bar) {
      dropped[i] = 1;
      left -= figures_.all[i].size;
    }
    i = dropped[i] != 0 ? tree.nodes[i].end : i + 1;
  }
  sum_up(tree, sizes_, dropped, figures_);
}

void HtmlMain::score(const HtmlTree& tree, bool names) {
  scores_.assign(tree.nodes.size(), 0);
  std::vector<uint8_t> seen(tree.nodes.size(), 0);
  // Paragraphs within parts that were thrown away by name vote all the same: where an article lies in a part with a
  // wrong name, their votes are what finds it (bench/DEAD_ENDS.md).
  for (uint32_t i = 1; i < tree.nodes.size(); ++i) {
    const TextSize& own = figures_.own[i];
    if (!is_block(tree.nodes[i].tag) || own.size < kLeastParagraph) continue;
    const float length = static_cast<float>(own.size) / 100;
    const float most = 3 * (1 + static_cast<float>(figures_.breaks[i]) / 2);
    const float vote = 1 + static_cast<float>(own.commas) + std::min(length, most);
    // Text that stands beside blocks is a paragraph below its block; a block without blocks is a paragraph itself.
    uint32_t ancestor = figures_.has_block[i] != 0 ? i : tree.nodes[i].parent;
    for (size_t level = 0; level < kMaxVotes; ++level) {
      if (seen[ancestor] == 0) {
        seen[ancestor] = 1;
        scores_[ancestor] = tag_weight(tree.nodes[ancestor].tag);
        if (names) scores_[ancestor] += name_weight(tree.nodes[ancestor].hints);
      }
      const float share = level == 0 ? 1.0f : level == 1 ? 0.5f : 1.0f / (3.0f * static_cast<float>(level));
      scores_[ancestor] += vote * share;
      if (ancestor == 0) break;
      ancestor = tree.nodes[ancestor].parent;
    }
  }
  for (size_t i = 0; i < scores_.size(); ++i) {
    if (seen[i] != 0) scores_[i] *= 1 - figures_.all[i].link_density();
  }
}

uint32_t HtmlMain::best(const HtmlTree& tree, uint32_t region) const {
  uint32_t top = kNone;
  for (uint32_t i = region; i < tree.nodes[region].end; ++i) {
    if (is_block(tree.nodes[i].tag) && scores_[i] > 0 && (top == kNone || scores_[i] > scores_[top])) top = i;
  }
  return top;
}

// What declares itself is believed if it is a text, and the larger part of all that declares itself so.
uint32_t HtmlMain::declared_body(const HtmlTree& tree) const {
  uint32_t largest = kNone;
  uint64_t sum = 0;
  for (uint32_t i = 1; i < tree.nodes.size();) {
    if ((tree.nodes[i].marks & kArticleBody) == 0 || figures_.all[i].size == 0) {
      ++i;
      continue;
    }
    sum += figures_.all[i].size;
    if (largest == kNone || figures_.all[i].size > figures_.all[largest].size) largest = i;
    i = tree.nodes[i].end;
  }
  if (largest == kNone || figures_.all[largest].size < kEnough || 2 * figures_.all[largest].size < sum) return kNone;
  return largest;
}

uint32_t HtmlMain::widen(const HtmlTree& tree, uint32_t root) const {
  // Where several parts score nearly as much, what holds three of them is the text.
  const float nearly = scores_[root] * 0.75f;
  std::array<uint32_t, 5> rivals{};
  size_t num_rivals = 0;
  for (uint32_t i = 0; i < tree.nodes.size() && num_rivals < rivals.size(); ++i) {
    if (i != root && scores_[i] >= nearly && is_block(tree.nodes[i].tag)) rivals[num_rivals++] = i;
  }
  if (num_rivals >= 3) {
    for (uint32_t above = tree.nodes[root].parent; above != 0 && tree.nodes[above].tag != Tag::kBody;
         above = tree.nodes[above].parent) {
      size_t held = 0;
      for (size_t i = 0; i < num_rivals; ++i) {
        held += above < rivals[i] && rivals[i] < tree.nodes[above].end ? 1 : 0;
      }
      if (held >= 3) {
        root = above;
        break;
      }
    }
  }
  // A parent that scores more holds more of the text.
  float last = scores_[root];
  const float least = last / 3;
  for (uint32_t above = tree.nodes[root].parent; above != 0 && tree.nodes[above].tag != Tag::kBody;
       above = tree.nodes[above].parent) {
    if (scores_[above] == 0) continue;
    if (scores_[above] < least) break;
    if (scores_[above] > last) {
      root = above;
      break;
    }
    last = scores_[above];
  }
  return root;
}

void HtmlMain::measure_prose(const HtmlTree& tree) {
  prose_.assign(tree.nodes.size(), 0);
  std::vector<uint32_t> first(tree.nodes.size(), kNone);
  for (uint32_t i = static_cast<uint32_t>(tree.nodes.size()); i-- > 1;) {
    const uint32_t parent = tree.nodes[i].parent;
    if (is_block(tree.nodes[i].tag)) {
      const auto own = static_cast<float>(figures_.own[i].size);
      const bool prose = own >= kLeastProse && 4 * static_cast<float>(figures_.own_links[i]) < own;
      if (!prose) {
        prose_[i] -= own;
      } else if (figures_.breaks[i] >= 2) {
        prose_[i] += own;
      } else if (first[parent] == kNone) {
        first[parent] = i;
      } else {
        if (first[parent] != 0) prose_[parent] += static_cast<float>(figures_.own[first[parent]].size);
        first[parent] = 0;
        prose_[i] += own;
      }
    }
    prose_[parent] += prose_[i];
  }
}

// Articles that advertisements cut into several elements are put together again; half as much prose again must be
// gained by leaving an element that is an article (with twice as much, such articles lose half).
uint32_t HtmlMain::climb(const HtmlTree& tree, uint32_t root) const {
  // What stands beside an article is rarely more of it.
  uint32_t highest = root;
  float factor = is_article_element(tree.nodes[root]) ? kLeaveArticle : kClimb;
  for (uint32_t above = tree.nodes[root].parent; above != 0; above = tree.nodes[above].parent) {
    if (prose_[above] > factor * prose_[highest]) {
      highest = above;
      factor = kClimb;
    }
    if (is_article_element(tree.nodes[above]) && prose_[above] >= prose_[highest] / kClimb) factor = kLeaveArticle;
  }
  return highest;
}

void HtmlMain::add_siblings(const HtmlTree& tree, uint32_t region, uint32_t root, HtmlChoice& choice) const {
  if (root == region || tree.nodes[root].tag == Tag::kBody) {
    choice.roots.push_back(root);
    return;
  }
  const uint32_t parent = tree.nodes[root].parent;
  const float threshold = std::max(10.0f, scores_[root] * 0.2f);
  for (uint32_t i = parent + 1; i < tree.nodes[parent].end; i = tree.nodes[i].end) {
    const HtmlStats& stats = figures_.all[i];
    const Tag tag = tree.nodes[i].tag;
    bool taken = i == root || (scores_[i] != 0 && scores_[i] >= threshold);
    if (tag == Tag::kP) taken |= stats.size > 80 && stats.link_density() < 0.25f;
    if (taken && choice.dropped[i] == 0) choice.roots.push_back(i);
  }
}

uint32_t HtmlMain::attempt(HtmlTree& tree, const Rules& rules, HtmlChoice& choice) {
  choice.roots.clear();
  drop_apart(tree, rules, choice.dropped);
  forget_false_names(tree);
  drop_by_name(tree, rules, choice.dropped);
  if (rules.whole) drop_side_bars(tree, choice.dropped);
  // Before lists of other pages go: what an attempt must find a quarter of.
  visible_ = figures_.all[0].unlinked();
  if (rules.by_words) {
    drop_headed(tree, figures_, choice.dropped);
    sum_up(tree, sizes_, choice.dropped, figures_);
  }
  region_ = main_region(tree, figures_);
  links_ = figures_.all[region_].link_size;
  if (rules.whole) {
    choice.roots.push_back(region_);
    return figures_.all[region_].size;
  }
  uint32_t root = declared_body(tree);
  if (root != kNone) {
    choice.roots.push_back(root);
  } else {
    score(tree, rules.by_name);
    const uint32_t region = region_;
    root = best(tree, region);
    if (root == kNone) return 0;
    measure_prose(tree);
    root = std::max(region, climb(tree, widen(tree, root)));  // what holds the region comes before it
    root = cover(tree, figures_, region, root);
    add_siblings(tree, region, root, choice);
    add_alike(tree, figures_, region, choice);
    add_lead(tree, figures_, choice);
  }
  if (rules.clean && !choice.roots.empty()) {
    for (const uint32_t part : choice.roots) clean_part(tree, part, figures_, choice.dropped);
    sum_up(tree, sizes_, choice.dropped, figures_);
    clean_borders(tree, choice.roots.front(), tree.nodes[choice.roots.back()].end, figures_, choice.dropped);
    sum_up(tree, sizes_, choice.dropped, figures_);
  }
  uint32_t size = 0;
  for (const uint32_t part : choice.roots) size += figures_.all[part].size;
  return size;
}

// Not by og:type: builders of sites say article of lists, too (bench/DEAD_ENDS.md).
bool HtmlMain::lists_others(const HtmlTree& tree, const HtmlChoice& choice, uint32_t size) const {
  if (size == 0 || size >= kMostOfIndex || links_ <= 2 * uint64_t{size} || tree.is_article) return false;
  size_t num_prose = 0;
  for (const uint32_t root : choice.roots) {
    for (uint32_t i = root; i < tree.nodes[root].end; i = choice.dropped[i] != 0 ? tree.nodes[i].end : i + 1) {
      num_prose += choice.dropped[i] == 0 && is_block(tree.nodes[i].tag) && is_prose(figures_, i) ? 1 : 0;
    }
  }
  const auto is_body = [](const HtmlNode& node) { return (node.marks & kArticleBody) != 0; };
  return num_prose <= kProseOfIndex && std::ranges::none_of(tree.nodes, is_body);
}

uint32_t HtmlMain::list_around(const HtmlTree& tree, uint32_t root, uint32_t size) const {
  if (tree.nodes[root].tag == Tag::kBody) root = innermost_whole(tree, figures_, root);
  for (uint32_t part = root; part != 0; part = tree.nodes[part].parent) {
    const Tag tag = tree.nodes[part].tag;
    if (tag == Tag::kTable || tag == Tag::kRowGroup || tag == Tag::kTr || tag == Tag::kBody) return kNone;
    const uint64_t links = figures_.all[part].link_size;
    if (links > 2 * uint64_t{size} || (links > size && 4 * links > 3 * links_)) return part;
  }
  return kNone;
}

void HtmlMain::read_listing(HtmlTree& tree, Listing& listing) {
  if (!std::exchange(listing.is_read, true)) listing.size = attempt(tree, listing.rules.of_listing(), listing.choice);
}

bool HtmlMain::take_list_around(HtmlTree& tree, Listing& listing, uint32_t size, HtmlChoice& choice) {
  if (!lists_others(tree, choice, size)) return false;
  read_listing(tree, listing);
  const uint32_t list = list_around(tree, choice.roots.front(), size);
  if (list == kNone || figures_.all[list].size < size) return false;
  choice = std::move(listing.choice);
  was_list_ = true;
  choice.roots.assign(1, list);
  return true;
}

void HtmlMain::take_beside_bar(HtmlTree& tree, Listing& listing, HtmlChoice& choice) {
  const uint32_t root = choice.roots.front();
  if (!is_in_side_bar(tree, region_, root)) return;
  read_listing(tree, listing);
  if (!is_left_out(tree, listing.choice, root) || listing.size < kLeastMain) return;
  choice = listing.choice;
  was_list_ = is_of_links(figures_, region_);
}

void HtmlMain::take_listing(HtmlTree& tree, Listing& listing, uint32_t size, HtmlChoice& choice) {
  take_beside_bar(tree, listing, choice);
  if (tree.is_article || (tree.nodes[choice.roots.front()].marks & kArticleBody) != 0) return;
  const HtmlSentences sentences = sentences_of(tree, figures_, choice);
  const bool is_text = sentences.size >= kLeastSentences || 3 * sentences.size >= 2 * uint64_t{size};
  const bool is_item = is_in_item(tree, region_, sentences.longest, size < kEnough);
  if (is_text && !is_item && sentences.rows.empty()) return;
  read_listing(tree, listing);
  if (listing.size < size) return;
  const auto lists = [&](const HtmlRow& row) { return lists_items(tree, figures_, row); };
  const bool has_rows = std::ranges::any_of(sentences.rows, lists);
  if (is_text && !is_item && !has_rows) return;
  choice = std::move(listing.choice);
  was_list_ = has_rows || is_of_links(figures_, region_) || is_in_item(tree, region_, sentences.longest, false);
}

bool HtmlMain::take_declared(HtmlTree& tree, HtmlChoice& choice) {
  const uint32_t part = lone_main(tree);
  const auto is_apart = [&](uint32_t root) { return root >= tree.nodes[part].end || tree.nodes[root].end <= part; };
  if (part == 0 || !std::ranges::all_of(choice.roots, is_apart)) return false;
  HtmlChoice listing;
  attempt(tree, Rules{.by_name = true}.of_listing(), listing);
  if (figures_.all[part].size < kLeastMain) return false;
  choice = std::move(listing);
  was_list_ = is_of_links(figures_, region_);
  return true;
}

void HtmlMain::take_all(const HtmlTree& tree, HtmlChoice& choice) {
  choice.roots.assign(1, 0);
  drop_apart(tree, Rules{.hidden = true}, choice.dropped);
  was_list_ = !was_plain_ && is_of_links(figures_, 0);
}

void HtmlMain::choose(HtmlTree& tree, bool main_only, HtmlChoice& choice) {
  was_plain_ = was_list_ = false;
  choice.roots.clear();
  choice.dropped.assign(tree.nodes.size(), 0);
  if (tree.nodes.empty()) return;
  if (!main_only) {
    for (uint32_t i = 1; i < tree.nodes.size(); ++i) {
      choice.dropped[i] = (tree.nodes[i].marks & kHidden) != 0 && tree.nodes[i].tag != Tag::kBody ? 1 : 0;
    }
    choice.roots.push_back(0);
    return;
  }
  measure_texts(tree, sizes_);
  was_plain_ = is_plain(tree);
  if (was_plain_) {
    take_all(tree, choice);
    if (figures_.all[0].size <= kMostPlain) return;
    choice.roots.clear();
  }
  // What is hidden is shown by a script on some pages, and on others never: it must be a text.
  constexpr std::array<Rules, 5> kAttempts = {{{true, true, true, true, true, kEnough},
                                               {false, true, true, true, true, kShortMain},
                                               {false, false, false, true, true, kEnough},
                                               {false, false, false, true, false, kEnough},
                                               {false, false, false, false, true, kEnough}}};
  HtmlChoice most;
  uint32_t most_size = 0;
  Rules most_rules;
  for (const Rules& rules : kAttempts) {
    // A looser attempt always finds a little more; only much more is text that the stricter one missed.
    const uint32_t size = attempt(tree, rules, choice);
    if (size > 2 * most_size && (rules.hidden || size >= kEnough)) {
      most_size = size;
      most = choice;
      most_rules = rules;
    }
    if (most_size >= kEnough || (most_size >= rules.enough && 4 * uint64_t{most_size} >= visible_)) break;
  }
  choice = std::move(most);
  if (most_size == 0) return take_all(tree, choice);
  if (take_declared(tree, choice)) return;
  Listing listing{.rules = most_rules};
  if (!take_list_around(tree, listing, most_size, choice)) take_listing(tree, listing, most_size, choice);
}

}  // namespace neardup::text
