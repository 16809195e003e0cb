// A parser that does what the standard says rebuilds formatting elements in every block that they are open in, and
// lexbor looks unknown names up in tables that do not grow: a hostile page makes time and memory of that as it likes.
// This filter stands between lexbor's tokenizer and its tree and takes away what the rules for main text do not look at
// anyway. What is left is bounded by counts: of depth, elements, names, and of bytes for each byte of the page. First
// tags are no longer heeded, so that the text of a large page is still read; only then is it stopped.
#include "neardup/text/html/limits.h"

#include <lexbor/html/interfaces/document.h>
#include <lexbor/html/parser.h>
#include <lexbor/html/tokenizer.h>
#include <lexbor/html/tree.h>
#include <lexbor/tag/const.h>

#include <algorithm>

namespace neardup::text {
namespace {

constexpr size_t kMaxHtmlDepth = 512;
constexpr size_t kMaxElements = size_t{1} << 20;
// Of an attribute's value; of a link's, as links are rebuilt in every block that they are open in.
constexpr size_t kMaxValue = 1024;
constexpr size_t kMaxLinkValue = 128;
// What lexbor may take for elements and texts: this, and so much for each byte of the page.
constexpr size_t kFreeBytes = size_t{256} << 10;
constexpr size_t kArenaPerByte = 24;
// Unknown names of tags, and of attributes, that a page may have: lexbor keeps them in tables that do not grow.
constexpr size_t kMaxNames = 8192;
// How much is parsed before the names are counted again: one tag may hold any number of them, and each is looked up in
// a table that does not grow.
constexpr size_t kChunkBytes = size_t{16} << 10;

/// Elements that the standard's "adoption agency" rebuilds in every block that they are open in: the growth of hostile
/// pages. They mean nothing to us and are read as span.
constexpr bool is_formatting(lxb_tag_id_t id) {
  switch (id) {
    case LXB_TAG_B:
    case LXB_TAG_BIG:
    case LXB_TAG_CODE:
    case LXB_TAG_EM:
    case LXB_TAG_FONT:
    case LXB_TAG_I:
    case LXB_TAG_NOBR:
    case LXB_TAG_S:
    case LXB_TAG_SMALL:
    case LXB_TAG_STRIKE:
    case LXB_TAG_STRONG:
    case LXB_TAG_TT:
    case LXB_TAG_U:
      return true;
    default:
      return false;
  }
}

constexpr bool is_raw_text(lxb_tag_id_t id) {
  return id == LXB_TAG_SCRIPT || id == LXB_TAG_STYLE || id == LXB_TAG_NOSCRIPT;
}

/// Whether an attribute is one that the rules look at.
bool is_read(const lxb_html_token_t& token, const lxb_html_token_attr_t& attribute) {
  if (attribute.name == nullptr) return false;
  switch (attribute.name->attr_id) {
    case LXB_DOM_ATTR_CLASS:
    case LXB_DOM_ATTR_ID:
    case LXB_DOM_ATTR_STYLE:
      return true;
    case LXB_DOM_ATTR_CONTENT:
      return token.tag_id == LXB_TAG_META;
    case LXB_DOM_ATTR_LANG:
      return token.tag_id == LXB_TAG_HTML;
    case LXB_DOM_ATTR_TYPE:
      return token.tag_id == LXB_TAG_INPUT || token.tag_id == LXB_TAG_BLOCKQUOTE;
    default:
      break;
  }
  const lexbor_hash_entry_t& entry = attribute.name->entry;
  const std::string_view name(reinterpret_cast<const char*>(lexbor_hash_entry_str(&entry)), entry.length);
  for (const std::string_view read :
       {"role", "itemprop", "itemtype", "hidden", "aria-hidden", "aria-modal", "property"}) {
    if (name == read) return true;
  }
  return false;
}

constexpr bool is_letter(lxb_char_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Cuts a long value behind a whole word: names count by their words.
void clip_value(const lxb_html_token_t& token, lxb_html_token_attr_t& attribute) {
  const size_t most = token.tag_id == LXB_TAG_A ? kMaxLinkValue : kMaxValue;
  if (attribute.value == nullptr || attribute.value_size <= most) return;
  size_t size = most;
  if (is_letter(attribute.value[size])) {
    while (size > 0 && is_letter(attribute.value[size - 1])) --size;
  }
  attribute.value_size = size;
}

/// Takes away what the rules do not look at: it would only be copied.
void drop_attributes(lxb_html_token_t* token) {
  for (lxb_html_token_attr_t* at = token->attr_first; at != nullptr;) {
    lxb_html_token_attr_t* const next = at->next;
    if (is_read(*token, *at)) {
      clip_value(*token, *at);
    } else {
      lxb_html_token_attr_remove(token, at);
    }
    at = next;
  }
}

/// By how much an arena of lexbor has grown. Each call looks only at the chunks that are new.
class Growth {
 public:
  explicit Growth(const lexbor_mraw_t* arena) : last_(arena->mem->chunk) {}

  size_t bytes() {
    for (; last_->next != nullptr; last_ = last_->next) bytes_ += last_->next->size;
    return bytes_;
  }

 private:
  const lexbor_mem_chunk_t* last_;
  size_t bytes_ = 0;
};

/// Stands between lexbor's tokenizer and its tree.
struct Filter {
  lxb_html_tokenizer_token_f next;
  void* next_context;
  lxb_html_tree_t* tree;
  Growth nodes;
  Growth texts;
  size_t most_bytes;
  bool open_reserve;
  size_t reserve_bytes = 0;
  bool has_template = false;
  bool has_layout_tags = false;
  size_t num_elements = 0;

  lxb_html_token_t* pass(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    return next(tokenizer, token, next_context);
  }

  [[nodiscard]] lxb_tag_id_t innermost() const {
    const size_t depth = lexbor_array_length(tree->open_elements);
    if (depth == 0) return LXB_TAG__UNDEF;
    return static_cast<lxb_dom_node_t*>(lexbor_array_get(tree->open_elements, depth - 1))->local_name;
  }

  lxb_html_token_t* text(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    const lxb_tag_id_t in = innermost();
    if (in == LXB_TAG_NOSCRIPT) reserve_bytes += static_cast<size_t>(token->text_end - token->text_start);
    return is_raw_text(in) ? token : pass(tokenizer, token);
  }

  /// Reads tags that mean nothing to us as others.
  void rename(lxb_html_token_t& token) {
    has_layout_tags |= token.tag_id == LXB_TAG_FONT || token.tag_id == LXB_TAG_CENTER;
    if (is_formatting(token.tag_id)) token.tag_id = LXB_TAG_SPAN;
    has_template |= token.tag_id == LXB_TAG_TEMPLATE;
    const bool is_reserve = token.tag_id == LXB_TAG_NOSCRIPT || token.tag_id == LXB_TAG_TEMPLATE;
    if (open_reserve && is_reserve) token.tag_id = LXB_TAG_DIV;
  }

  lxb_html_token_t* operator()(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    if (token->tag_id == LXB_TAG__EM_COMMENT) return token;
    // Asked at every tag: a page that grows is seen long before memory is short.
    const size_t bytes = nodes.bytes() + texts.bytes();
    if (bytes > most_bytes + most_bytes / 4 || too_many_names(*tokenizer)) return stop(tokenizer);
    if (token->tag_id == LXB_TAG__TEXT) return text(tokenizer, token);
    rename(*token);
    drop_attributes(token);
    if (bytes > most_bytes && !is_kept(token->tag_id)) return pass(tokenizer, as_space(token));
    const bool opens = (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) == 0 && token->tag_id >= LXB_TAG__BEGIN;
    if (opens && too_many(token->tag_id)) return token;
    num_elements += opens ? 1 : 0;
    return pass(tokenizer, token);
  }

  static lxb_html_token_t* stop(lxb_html_tokenizer_t* tokenizer) {
    tokenizer->status = LXB_STATUS_ERROR_OVERFLOW;
    return nullptr;
  }

  static bool too_many_names(const lxb_html_tokenizer_t& tokenizer) {
    return lexbor_hash_entries_count(tokenizer.tags) > kMaxNames ||
           lexbor_hash_entries_count(tokenizer.attrs) > kMaxNames;
  }

  /// A tag that is not heeded still parts the words beside it.
  static lxb_html_token_t* as_space(lxb_html_token_t* token) {
    static constexpr lxb_char_t kSpace[] = " ";
    token->tag_id = LXB_TAG__TEXT;
    token->type = LXB_HTML_TOKEN_TYPE_OPEN;
    token->attr_first = token->attr_last = nullptr;
    token->text_start = kSpace;
    token->text_end = kSpace + 1;
    return token;
  }

  /// Raw text must be opened all the same, as its end is found by its tag.
  static bool is_kept(lxb_tag_id_t id) {
    return is_raw_text(id) || id == LXB_TAG_TEXTAREA || id == LXB_TAG_TITLE || id == LXB_TAG__END_OF_FILE;
  }

  [[nodiscard]] bool too_many(lxb_tag_id_t id) const {
    if (is_kept(id)) return false;
    return lexbor_array_length(tree->open_elements) >= kMaxHtmlDepth || num_elements >= kMaxElements;
  }
};

lxb_html_token_t* filter_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* context) {
  return (*static_cast<Filter*>(context))(tokenizer, token);
}

bool parse_chunks(lxb_html_document_t& document, std::string_view html, const lxb_html_tokenizer_t& tokenizer) {
  for (; !html.empty(); html.remove_prefix(std::min(kChunkBytes, html.size()))) {
    const auto* const chunk = reinterpret_cast<const lxb_char_t*>(html.data());
    if (lxb_html_document_parse_chunk(&document, chunk, std::min(kChunkBytes, html.size())) != LXB_STATUS_OK ||
        Filter::too_many_names(tokenizer)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool parse_within_limits(lxb_html_document_t& document, std::string_view html, bool open_reserve, HtmlTree& tree) {
  auto* parser = static_cast<lxb_html_parser_t*>(lxb_dom_interface_document(&document)->parser);
  lxb_html_tokenizer_t* tokenizer = parser->tkz;
  const lxb_dom_document_t* const dom = lxb_dom_interface_document(&document);
  Filter filter{.next = tokenizer->callback_token_done,
                .next_context = tokenizer->callback_token_ctx,
                .tree = parser->tree,
                .nodes = Growth(dom->mraw),
                .texts = Growth(dom->text),
                .most_bytes = kFreeBytes + kArenaPerByte * html.size(),
                .open_reserve = open_reserve};
  lxb_html_tokenizer_callback_token_done_set(tokenizer, &filter_token, &filter);
  const bool whole =
      parse_chunks(document, html, *tokenizer) && lxb_html_document_parse_chunk_end(&document) == LXB_STATUS_OK;
  lxb_html_tokenizer_callback_token_done_set(tokenizer, filter.next, filter.next_context);
  tree.reserve_bytes = filter.reserve_bytes;
  tree.has_template = filter.has_template;
  tree.has_layout_tags = filter.has_layout_tags;
  return whole;
}

}  // namespace neardup::text
