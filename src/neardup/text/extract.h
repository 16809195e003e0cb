// What of a document's bytes is looked at: the main text of a page, in UTF-8, with what changes masked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace neardup::text {

enum class Extraction {
  kNone,  // the bytes as they are
  kHtml,  // every document is a page
  // What looks like a page is one, or the source of a manual page; other texts have no preamble, and those in another
  // encoding become UTF-8.
  kAuto,
};

/// Returns the extraction of that name ("none", "html", "auto").
[[nodiscard]] std::optional<Extraction> extraction_of_name(std::string_view name);

struct ExtractOptions {
  Extraction extraction = Extraction::kNone;
  bool main_only = true;                      // of pages; else everything that a reader sees
  uint32_t mask = 0;                          // a set of MaskKind
  bool own_lines = false;                     // of answers without what they quote: quotes.h
  bool titled = false;                        // whether the text of a page begins with its title, as a line
  bool shown = false;                         // whether whole_text of pages is wanted
  std::string_view charset = {};              // that the source declares; must live as long as the Extract
  uint64_t page_memory_bytes = ~uint64_t{0};  // of a page only so much is read that its tree takes no more
};

/// What was extracted. Views live until the next call, `text` also no longer than the bytes that were given.
struct Extracted {
  std::string_view text = {};
  // The same with what was left out: quoted lines, markup of manual pages, preambles; of a page, with
  // ExtractOptions::shown, all that it shows.
  std::string_view whole_text = {};
  std::string_view title = {};     // of a page
  std::string_view language = {};  // of a page
  std::string_view encoding = {};  // that the bytes were in; "" with Extraction::kNone
  // How many of the first bytes of `text` say what it is about: a page's title, with ExtractOptions::titled; with kAuto
  // a heading (heading.h).
  size_t heading_bytes = 0;
  size_t num_quoted_lines = 0;  // that were left out of `text`
  size_t preamble_bytes = 0;    // that were left out of `text`: preamble.h
  bool is_page = false;
  bool is_list = false;  // of a page: HtmlPage::is_list
  bool cut = false;      // a part was not read: HtmlPage::complete, Decoder
  // False where the text does not stand for all of the bytes: it is cut, or there is hardly any text on a page that is
  // not blank.
  bool complete = true;
  bool is_manual = false;  // the source of a manual page, of which `text` is what man shows

  /// Whether `text` is less than the text, and `whole_text` all of it.
  [[nodiscard]] bool leaves_out() const { return is_manual || num_quoted_lines > 0 || preamble_bytes > 0; }
};

/// Returns the most memory that the copies of a document of `num_bytes` take: decoded, extracted, masked, without
/// quotes.
[[nodiscard]] uint64_t extracted_copies_bytes(const ExtractOptions& options, uint64_t num_bytes);
/// Returns the most memory that the tree of a page of `num_bytes` takes beside, whatever the page holds. Bytes of tags
/// take it, not those of texts: usual pages need a tenth.
[[nodiscard]] uint64_t page_tree_bytes(uint64_t num_bytes);
/// Returns how many bytes of a page are read at most where its tree may take `page_memory_bytes`.
[[nodiscard]] uint64_t longest_page_bytes(uint64_t page_memory_bytes);
/// Returns whether `bytes` may be read as a page: with kAuto those that look like one, and all in UTF-16.
[[nodiscard]] bool may_be_page(Extraction extraction, std::string_view bytes);

/// Threads: one object per thread.
class Extract {
 public:
  explicit Extract(const ExtractOptions& options);
  Extract(Extract&&) noexcept;
  Extract& operator=(Extract&&) noexcept;
  ~Extract();

  /// Cost: as that of HtmlReader, mask(), read_roff(), leave_out_preamble() and leave_out_quotes(); nothing where there
  /// is nothing to do.
  [[nodiscard]] Extracted from(std::string_view bytes);
  /// Sets ExtractOptions::page_memory_bytes.
  void limit_pages(uint64_t page_memory_bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::text
