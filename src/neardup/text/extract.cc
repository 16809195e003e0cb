#include "neardup/text/extract.h"

#include <algorithm>

#include "neardup/text/charset.h"
#include "neardup/text/heading.h"
#include "neardup/text/html/html.h"
#include "neardup/text/mask.h"
#include "neardup/text/preamble.h"
#include "neardup/text/quotes.h"
#include "neardup/text/roff.h"

namespace neardup::text {
namespace {

// lexbor's nodes and texts (at most 30, see html_limits.cc), our tree and the figures of its nodes (as much again): the
// most that was measured with pages of nothing but tags.
constexpr uint64_t kBytesPerPageByte = 64;

bool is_blank(std::string_view bytes) { return bytes.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos; }

bool is_wide(std::string_view bytes) { return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"); }

// Whether a page's text says what the page is. A footer of a few words may be all that a page of pictures, or a mail of
// one, has of it: pages that share that are not the same.
bool stands_for(std::string_view text, std::string_view page) {
  constexpr size_t kLittle = 160, kShare = 8;
  if (is_blank(text)) return is_blank(page);
  return text.size() >= kLittle || text.size() >= page.size() / kShare;
}

// Main texts leave out the headline that the title repeats. A text that begins with the title has it already. Returns
// whether the title is the first line now.
bool put_title_before(HtmlPage& page) {
  if (page.title.empty() || page.text.starts_with(page.title)) return false;
  page.text.insert(0, page.title + "\n");
  return true;
}

}  // namespace

std::optional<Extraction> extraction_of_name(std::string_view name) {
  if (name == "none") return Extraction::kNone;
  if (name == "html") return Extraction::kHtml;
  if (name == "auto") return Extraction::kAuto;
  return std::nullopt;
}

uint64_t extracted_copies_bytes(const ExtractOptions& options, uint64_t num_bytes) {
  const bool leaves_out = options.own_lines || options.extraction == Extraction::kAuto;
  // Of a page either its text is short, or nothing else is looked for: so all that it shows takes no more than the
  // rest.
  const uint64_t num_masked = options.mask == 0 ? 0 : options.shown ? 2 : 1;
  return 2 * num_masked * num_bytes + (leaves_out ? num_bytes : 0) +
         (options.extraction == Extraction::kNone ? 0 : 3 * num_bytes);
}

uint64_t page_tree_bytes(uint64_t num_bytes) {
  return kBytesPerPageByte * std::min<uint64_t>(num_bytes, kMaxHtmlBytes);
}

uint64_t longest_page_bytes(uint64_t page_memory_bytes) {
  return std::min<uint64_t>(kMaxHtmlBytes, page_memory_bytes / kBytesPerPageByte);
}

bool may_be_page(Extraction extraction, std::string_view bytes) {
  if (extraction == Extraction::kNone) return false;
  return extraction == Extraction::kHtml || is_wide(bytes) || looks_like_html(bytes);
}

struct Extract::Impl {
  ExtractOptions options;
  Decoder decoder;
  HtmlReader reader;
  HtmlPage page;
  std::string decoded;
  std::string masked;
  std::string masked_whole;
  std::string rest;  // of a text without what is left out
  bool title_is_line = false;

  /// Whether the bytes are a page; decodes them into `text` where they may be one in UTF-16, or are text.
  Extracted extract(std::string_view bytes) {
    if (options.extraction == Extraction::kNone) return {.text = bytes};
    std::string_view text = bytes;
    const bool decode = options.extraction == Extraction::kAuto && (is_wide(bytes) || !looks_like_html(bytes));
    if (decode) text = decoder.decode(bytes, options.charset, decoded);
    if (decode && !(decoder.encoding().starts_with("UTF-16") && looks_like_html(text))) {
      const bool failed = decoder.has_failed();
      return {.text = text, .encoding = decoder.encoding(), .cut = failed, .complete = !failed};
    }
    const auto most = static_cast<size_t>(longest_page_bytes(options.page_memory_bytes));
    reader.read(bytes,
                {.main_only = options.main_only,
                 .shown = options.shown,
                 .mark_quotes = options.own_lines,
                 .charset = options.charset,
                 .max_bytes = most},
                page);
    const bool stands = stands_for(page.text, bytes);
    title_is_line = options.titled && put_title_before(page);
    return {.text = page.text,
            .whole_text = options.shown ? page.shown : page.text,
            .title = page.title,
            .language = page.language,
            .encoding = page.encoding,
            .is_page = true,
            .is_list = page.is_list,
            .cut = !page.complete,
            .complete = page.complete && stands};
  }

  [[nodiscard]] size_t find_heading(const Extracted& extracted) const {
    const std::string_view text = extracted.text;
    if (extracted.is_manual) return manual_heading_bytes(text);
    if (!extracted.is_page) return options.extraction == Extraction::kAuto ? heading_bytes(text) : 0;
    if (!options.titled || extracted.title.empty()) return 0;
    if (title_is_line) return std::min(text.find('\n'), text.size());
    return text.starts_with(extracted.title) ? extracted.title.size() : 0;
  }

  void leave_out(Extracted& extracted) {
    const bool is_page = extracted.is_page;
    const bool is_text = !is_page && options.extraction == Extraction::kAuto;
    if (is_text && looks_like_roff(extracted.text)) {
      extracted.is_manual = true;
      read_roff(extracted.text, rest);
    } else if (is_text) {
      extracted.preamble_bytes = leave_out_preamble(extracted.text, rest);
    }
    if (!extracted.leaves_out() && options.own_lines) {
      const QuoteSource source = !is_page      ? QuoteSource::kText
                                 : page.quotes ? QuoteSource::kMarked
                                               : QuoteSource::kPage;
      extracted.num_quoted_lines = leave_out_quotes(extracted.text, rest, source);
    }
    if (extracted.leaves_out()) extracted.text = rest;
  }
};

Extract::Extract(const ExtractOptions& options)
    : impl_(std::make_unique<Impl>(Impl{options, Decoder(), HtmlReader(), {}, {}, {}, {}, {}, false})) {}
Extract::Extract(Extract&&) noexcept = default;
Extract& Extract::operator=(Extract&&) noexcept = default;
Extract::~Extract() = default;

void Extract::limit_pages(uint64_t page_memory_bytes) { impl_->options.page_memory_bytes = page_memory_bytes; }

Extracted Extract::from(std::string_view bytes) {
  Extracted extracted = impl_->extract(bytes);
  const bool has_whole = extracted.is_page && impl_->options.shown;
  if (impl_->options.mask != 0) {
    mask(extracted.text, impl_->options.mask, impl_->masked);
    extracted.text = impl_->masked;
    if (has_whole) mask(extracted.whole_text, impl_->options.mask, impl_->masked_whole);
    if (has_whole) extracted.whole_text = impl_->masked_whole;
  }
  if (!has_whole) extracted.whole_text = extracted.text;
  impl_->leave_out(extracted);
  extracted.heading_bytes = impl_->find_heading(extracted);
  return extracted;
}

}  // namespace neardup::text
