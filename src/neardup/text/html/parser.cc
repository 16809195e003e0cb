// lexbor parses as browsers do, but what a hostile page may make of that is not bounded: limits.h stops it. The
// document's memory is used again from page to page; a very large one gives it back, and a parser that was stopped
// half-way, or was refused memory, is never used again: nothing of it is called any more, its memory goes.
#include "neardup/text/html/parser.h"

#include <lexbor/html/interfaces/document.h>

#include <algorithm>

#include "neardup/text/html/copy.h"
#include "neardup/text/html/limits.h"
#include "neardup/text/html/memory.h"

namespace neardup::text {
namespace {

// A page larger than this gives its memory back.
constexpr size_t kMaxKeptBytes = size_t{8} << 20;

}  // namespace

struct HtmlParser::Impl {
  HtmlMemory memory;
  lxb_html_document_t* document = nullptr;
  size_t largest = 0;
  bool is_stopped = false;  // half-way: no call of lexbor is made with it any more

  // Returns whether there is a document to parse into.
  bool prepare(size_t size) {
    if (largest > kMaxKeptBytes) forget();
    largest = std::max(largest, size);
    if (document == nullptr) {
      document = lxb_html_document_create();
    } else {
      lxb_html_document_clean(document);
    }
    return document != nullptr && lxb_html_document_parse_chunk_begin(document) == LXB_STATUS_OK;
  }
  // With scripts on, noscript is raw text up to its end: tags left open in it would swallow the rest of the page else.
  void parse(std::string_view html, HtmlTree& tree, bool open_reserve) {
    if (prepare(html.size())) {
      lxb_html_document_scripting_set(document, true);
      tree.complete = parse_within_limits(*document, html, open_reserve, tree);
      copy_html(*document, tree);
    }
  }
  void forget() {
    document = nullptr;
    largest = 0;
    memory.clear();
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
  tree.is_article = tree.has_template = tree.has_layout_tags = tree.is_mail = false;
  if (impl_->is_stopped) impl_->forget();  // its bytes are those of the last tree
  impl_->is_stopped = true;
  const HtmlMemory::Use use(impl_->memory);
  impl_->parse(html, tree, open_reserve);
  impl_->is_stopped = !tree.complete;
}

}  // namespace neardup::text
