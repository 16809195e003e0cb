// HTML pages -> their title and main text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup::text {

/// What a page says, in UTF-8; of a page in damaged UTF-8 the bytes that are not valid stay. Buffers are reused from
/// page to page.
struct HtmlPage {
  std::string title;     // of the title element, else og:title; one line
  std::string language;  // the lang attribute of the html element, as it stands: "en-GB"; often empty
  std::string encoding;  // that the bytes were in: "UTF-8", "GB18030"
  bool complete = true;  // false where a part was not read: behind kMaxHtmlBytes, or where the parser gave up
  std::string text;      // a line for each paragraph, heading, list item, table row and line of preformatted text
  bool is_list = false;  // with HtmlOptions::main_only: whether `text` is no single text, but what lists others
  bool quotes = false;   // with HtmlOptions::mark_quotes: whether `text` has marks of quoted mails or posts
  std::string shown;     // with HtmlOptions::shown: all that a reader sees, in such lines
};

/// Of a page that is longer only the first kMaxHtmlBytes are read.
inline constexpr size_t kMaxHtmlBytes = size_t{16} << 20;

struct HtmlOptions {
  bool main_only = true;             // else everything that a reader sees
  bool shown = false;                // whether HtmlPage::shown is wanted, too
  bool mark_quotes = false;          // write quoted mails and posts as plain text does, with "> "; of mails all is text
  std::string_view charset = {};     // of the Content-Type header, where there is one
  size_t max_bytes = kMaxHtmlBytes;  // less: only so much of a page is read
};

/// Reads pages: bytes in any encoding (text/charset.h), parsed as HTML5, without navigation, advertisements, comments,
/// notices, share bars, lists of related links, footers and what is hidden. Mails in quoted-printable are decoded.
/// Where no text is found that reads like an article, everything outside of such parts is the text; in mails of
/// pictures, what they and the links point to, too. docs/html.md says by which rules, and how well they work.
/// Cost: about 250 MB/s; memory 2 to 10 times the page at most usual pages, at most 64 times (page_tree_bytes()), kept
/// for the next page.
/// Threads: one object per thread.
class HtmlReader {
 public:
  HtmlReader();
  HtmlReader(HtmlReader&&) noexcept;
  HtmlReader& operator=(HtmlReader&&) noexcept;
  ~HtmlReader();

  /// Replaces `page` by that of `bytes`, any bytes.
  void read(std::string_view bytes, const HtmlOptions& options, HtmlPage& page);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns whether a text in UTF-8 or any encoding that agrees with ASCII looks like HTML. Passed over are comments,
/// and scripts and styles (of 64 KiB at most). Then there must be a doctype of HTML or a tag of a page's frame (html,
/// head, body) or head (title, meta, link); or, where no Markdown (headings, fences, blank lines between text) follows
/// in 4 KiB, a block's tag, or an inline tag and a block's behind. Feeds, drawings, other XML and components of
/// frameworks do not. Cost: texts that begin with something else than '<' cost a look at their first letter.
[[nodiscard]] bool looks_like_html(std::string_view bytes);

}  // namespace neardup::text
