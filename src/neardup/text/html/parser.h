// UTF-8 HTML -> HtmlTree, by lexbor's HTML5 parser.
#pragma once

#include <memory>
#include <string_view>

#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Parses pages one after the other into memory that is reused.
/// Elements deeper than 512 are put beside each other, as browsers do, inline formatting (b, i, font) is not rebuilt
/// across blocks, and attributes are cut to what names need. Where lexbor has taken 24 bytes for each byte of the page,
/// tags are no longer heeded, at 30 it is stopped; so time and memory grow with the page, whatever it holds.
/// Threads: one object per thread.
class HtmlParser {
 public:
  HtmlParser();
  HtmlParser(HtmlParser&&) noexcept;
  HtmlParser& operator=(HtmlParser&&) noexcept;
  ~HtmlParser();

  /// Replaces `tree` by that of `html` (UTF-8; invalid sequences stay as they are). Views into the tree live until the
  /// next call. What stands in noscript and template is not in the tree, as browsers with scripts do not show it; with
  /// `open_reserve` it is, as if those were div. Where lexbor is stopped, or the page has more than 8192 tags or
  /// attributes of names that HTML does not know, the tree holds what was read before and is not `complete`.
  /// Throws std::bad_alloc where the system has no more memory; the next page is parsed as if nothing had been.
  void parse(std::string_view html, HtmlTree& tree, bool open_reserve = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::text
