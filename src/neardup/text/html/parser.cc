// lexbor parses as browsers do, but what a hostile page may make of that is not bounded: limits.h stops it. The
// document's memory is used again from page to page; a very large one gives it back, and a parser that was stopped
// half-way is never used again.
#include "neardup/text/html/parser.h"

#include <lexbor/html/interfaces/document.h>

#include <algorithm>

#include "neardup/text/html/copy.h"
#include "neardup/text/html/limits.h"

namespace neardup::text {
namespace {

// A page larger than this gives its memory back.
constexpr size_t kMaxKeptBytes = size_t{8} << 20;

}  // namespace

struct HtmlParser::Impl {
  lxb_html_document_t* document = nullptr;
  size_t largest = 0;
  bool failed = false;  // a parser that was stopped is not used again

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { lxb_html_document_destroy(document); }

  bool prepare(size_t size) {
    if (document != nullptr && (failed || largest > kMaxKeptBytes)) {
      document = lxb_html_document_destroy(document);
      largest = 0;
    }
    largest = std::max(largest, size);
    if (document == nullptr) {
      document = lxb_html_document_create();
    } else {
      lxb_html_document_clean(document);
    }
    return document != nullptr && lxb_html_document_parse_chunk_begin(document) == LXB_STATUS_OK;
  }
};

HtmlParser::HtmlParser() : impl_(std::make_unique<Impl>()) {}
HtmlParser::HtmlParser(HtmlParser&&) noexcept = default;
HtmlParser& HtmlParser::operator=(HtmlParser&&) noexcept = default;
HtmlParser::~HtmlParser() = default;

void HtmlParser::parse(std::string_view html, HtmlTree& tree, bool open_reserve) {
  tree.nodes.clear();
  tree.ids.clear();
  tree.title = tree.og_title = tree.language = {};
  tree.complete = false;
  tree.reserve_bytes = 0;
  tree.is_article = tree.has_template = tree.has_layout_tags = false;
  if (!impl_->prepare(html.size())) return;
  // With scripts on, noscript is raw text up to its end: tags left open in it would swallow the rest of the page else.
  lxb_html_document_scripting_set(impl_->document, true);
  tree.complete = parse_within_limits(*impl_->document, html, open_reserve, tree);
  impl_->failed = !tree.complete;
  copy_html(*impl_->document, tree);
}

}  // namespace neardup::text
