// Which parts of a page are its main text.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// The parts of a page that were chosen: what lies below a root and not below a dropped node. Roots are in the order of
/// the page and none is below another one.
struct HtmlChoice {
  std::vector<uint32_t> roots;
  std::vector<uint8_t> dropped;  // per node of the tree
};

/// Chooses the main text of pages. Threads: one object per thread.
class HtmlMain {
 public:
  /// Fills `choice`. `main_only` = false: everything that a reader sees. Of `tree` the hints of ids that turn out to
  /// name no part of the page are taken away.
  void choose(HtmlTree& tree, bool main_only, HtmlChoice& choice);
  /// Whether the last page was laid out by its tags (font, center), and nothing said what its parts are: no tag, role,
  /// name or heading. Such are mails, and pages that were written by hand. Requires: main_only.
  [[nodiscard]] bool was_plain() const { return was_plain_; }
  /// Whether the last page was taken for one that lists others, or says what it says in titles, links and numbers:
  /// lists of links, archives, tags, results of a search, hubs, galleries. With main_only = false none is.
  [[nodiscard]] bool was_list() const { return was_list_; }

 private:
  struct Rules;
  struct Listing;
  uint32_t attempt(HtmlTree& tree, const Rules& rules, HtmlChoice& choice);
  void drop_apart(const HtmlTree& tree, const Rules& rules, std::vector<uint8_t>& dropped);
  void forget_false_names(HtmlTree& tree);
  void drop_by_name(const HtmlTree& tree, const Rules& rules, std::vector<uint8_t>& dropped);
  void drop_side_bars(const HtmlTree& tree, std::vector<uint8_t>& dropped);
  void score(const HtmlTree& tree, bool names);
  [[nodiscard]] uint32_t best(const HtmlTree& tree, uint32_t region) const;
  [[nodiscard]] uint32_t declared_body(const HtmlTree& tree) const;
  [[nodiscard]] uint32_t widen(const HtmlTree& tree, uint32_t root) const;
  [[nodiscard]] uint32_t climb(const HtmlTree& tree, uint32_t root) const;
  void measure_prose(const HtmlTree& tree);
  void add_siblings(const HtmlTree& tree, uint32_t region, uint32_t root, HtmlChoice& choice) const;
  /// Whether the links of a page, not the few words beside them that were chosen, are what it is for. Requires:
  /// `figures_` are those of the choice, or of one that left out less.
  [[nodiscard]] bool lists_others(const HtmlTree& tree, const HtmlChoice& choice, uint32_t size) const;
  /// Returns the least part around `root` with links of more than twice `size` bytes, or of more than that and
  /// three quarters of those of the page; none where that is a table that
  /// lays out the page, or the page.
  [[nodiscard]] uint32_t list_around(const HtmlTree& tree, uint32_t root, uint32_t size) const;
  /// Attempts `listing`, once.
  void read_listing(HtmlTree& tree, Listing& listing);
  /// Takes the list around the chosen few words, which the rules of `listing` found, where the page is for that;
  /// returns whether. Never takes less than `size` bytes.
  bool take_list_around(HtmlTree& tree, Listing& listing, uint32_t size, HtmlChoice& choice);
  /// Where what was chosen is a side bar: takes what the page lists beside it.
  void take_beside_bar(HtmlTree& tree, Listing& listing, HtmlChoice& choice);
  /// Where what was chosen stands outside of the one part that the page declares to be its main one: takes all but what
  /// stands apart or goes by its name; returns whether.
  bool take_declared(HtmlTree& tree, HtmlChoice& choice);
  /// Takes all but what stands apart where the choice of `size` bytes has hardly any sentences, or they are those of
  /// items of a list: what the page says is its titles, links and numbers, then. `figures_` are those of the choice, or
  /// of one that left out less; the rules of `listing` found the choice. Never takes less than `size` bytes.
  void take_listing(HtmlTree& tree, Listing& listing, uint32_t size, HtmlChoice& choice);
  void take_all(const HtmlTree& tree, HtmlChoice& choice);

  bool was_plain_ = false;
  bool was_list_ = false;
  uint32_t region_ = 0;          // main_region() of the last attempt
  uint64_t links_ = 0;           // bytes of text in its links
  uint64_t visible_ = 0;         // bytes outside of links that the last attempt had to choose from
  std::vector<TextSize> sizes_;  // of each node's own text, measured once a page
  HtmlFigures figures_;          // of the last attempt, without what it dropped
  std::vector<float> scores_;    // of each node; 0 where nothing voted
  std::vector<float> prose_;     // bytes of sentences less bytes of other text, of each node and all below
};

}  // namespace neardup::text
