// Notices that are laid over a page: that it uses cookies, and wants consent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Tells parts that ask for consent to cookies: at most 3,000 bytes and 256 nodes without a headline, main part or
/// article. One with a name of such (hints) must speak of cookies; other parts that are laid over the page, by their
/// names or as blocks right below the body or one below that, must say that the site uses them, in one of a dozen
/// languages, and begin with that or show another sign: a button, words of choice, of rules on privacy, of
/// advertising. What holds the larger part of the page's unlinked text must say it, too, show three signs, and not
/// stand below a headline.
/// Cost: of a page, passes over four times its text (kTimesText) and 64 KiB at most, however its parts are nested;
/// behind that nothing is a notice; and a look at 512 nodes for each part.
class Notices {
 public:
  /// Requires: `figures` are those without what is `dropped`; what is dropped later was looked at before. All three
  /// must live as long.
  Notices(const HtmlTree& tree, const HtmlFigures& figures, const std::vector<uint8_t>& dropped);

  /// Requires: nothing above `part` is dropped, nor is it.
  [[nodiscard]] bool is_notice(uint32_t part);

 private:
  void read_text(uint32_t part);
  [[nodiscard]] bool shows_choice(uint32_t part) const;

  const HtmlTree& tree_;
  const HtmlFigures& figures_;
  const std::vector<uint8_t>& dropped_;
  uint64_t left_ = 0;  // bytes that may still be looked at
  std::string text_;
};

}  // namespace neardup::text
