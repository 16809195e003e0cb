#include "neardup/text/html_parser.h"

#include <lexbor/dom/interfaces/attr.h>
#include <lexbor/dom/interfaces/character_data.h>
#include <lexbor/dom/interfaces/element.h>
#include <lexbor/html/interfaces/document.h>
#include <lexbor/html/parser.h>
#include <lexbor/html/tokenizer.h>
#include <lexbor/html/tree.h>
#include <lexbor/tag/const.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "neardup/text/html_hints.h"

namespace neardup::text {
namespace {

constexpr size_t kMaxDepth = 512;
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
// A page larger than this gives its memory back.
constexpr size_t kMaxKeptBytes = size_t{8} << 20;

/// How a tag id of lexbor enters the tree.
struct Kind {
  Tag tag = Tag::kInline;
  bool dropped = false;  // with all that is in it
};

struct KindRow {
  lxb_tag_id_enum_t id;
  Kind kind;
};

constexpr Kind kDrop = {Tag::kInline, true};

constexpr KindRow kKinds[] = {
    {LXB_TAG_A, {Tag::kA}},
    {LXB_TAG_BR, {Tag::kBr}},
    {LXB_TAG_IMG, {Tag::kImage}},
    {LXB_TAG_PICTURE, {Tag::kImage}},
    {LXB_TAG_IFRAME, {Tag::kEmbed, true}},
    {LXB_TAG_OBJECT, {Tag::kEmbed, true}},
    {LXB_TAG_EMBED, {Tag::kEmbed, true}},
    {LXB_TAG_INPUT, {Tag::kInput}},
    {LXB_TAG_LABEL, {Tag::kLabel}},
    {LXB_TAG_TIME, {Tag::kTime}},
    {LXB_TAG_HTML, {Tag::kHtml}},
    {LXB_TAG_BODY, {Tag::kBody}},
    {LXB_TAG_DIV, {Tag::kDiv}},
    {LXB_TAG_CENTER, {Tag::kDiv}},
    {LXB_TAG_SECTION, {Tag::kSection}},
    {LXB_TAG_ARTICLE, {Tag::kArticle}},
    {LXB_TAG_MAIN, {Tag::kMain}},
    {LXB_TAG_HEADER, {Tag::kHeader}},
    {LXB_TAG_HGROUP, {Tag::kHeader}},
    {LXB_TAG_FOOTER, {Tag::kFooter}},
    {LXB_TAG_NAV, {Tag::kNav}},
    {LXB_TAG_MENU, {Tag::kNav}},
    {LXB_TAG_ASIDE, {Tag::kAside}},
    {LXB_TAG_ADDRESS, {Tag::kAddress}},
    {LXB_TAG_DIALOG, {Tag::kDialog}},
    {LXB_TAG_FORM, {Tag::kForm}},
    {LXB_TAG_FIELDSET, {Tag::kFieldset}},
    {LXB_TAG_DETAILS, {Tag::kDetails}},
    {LXB_TAG_SUMMARY, {Tag::kDiv}},
    {LXB_TAG_FIGURE, {Tag::kFigure}},
    {LXB_TAG_FIGCAPTION, {Tag::kFigcaption}},
    {LXB_TAG_P, {Tag::kP}},
    {LXB_TAG_PRE, {Tag::kPre}},
    {LXB_TAG_LISTING, {Tag::kPre}},
    {LXB_TAG_PLAINTEXT, {Tag::kPre}},
    {LXB_TAG_XMP, {Tag::kPre}},
    {LXB_TAG_BLOCKQUOTE, {Tag::kBlockquote}},
    {LXB_TAG_HR, {Tag::kHr}},
    {LXB_TAG_H1, {Tag::kH1}},
    {LXB_TAG_H2, {Tag::kH2}},
    {LXB_TAG_H3, {Tag::kH3}},
    {LXB_TAG_H4, {Tag::kH4}},
    {LXB_TAG_H5, {Tag::kH5}},
    {LXB_TAG_H6, {Tag::kH6}},
    {LXB_TAG_UL, {Tag::kUl}},
    {LXB_TAG_DIR, {Tag::kUl}},
    {LXB_TAG_OL, {Tag::kOl}},
    {LXB_TAG_LI, {Tag::kLi}},
    {LXB_TAG_DL, {Tag::kDl}},
    {LXB_TAG_DT, {Tag::kDt}},
    {LXB_TAG_DD, {Tag::kDd}},
    {LXB_TAG_TABLE, {Tag::kTable}},
    {LXB_TAG_TBODY, {Tag::kRowGroup}},
    {LXB_TAG_THEAD, {Tag::kRowGroup}},
    {LXB_TAG_TFOOT, {Tag::kRowGroup}},
    {LXB_TAG_TR, {Tag::kTr}},
    {LXB_TAG_TD, {Tag::kTd}},
    {LXB_TAG_TH, {Tag::kTh}},
    {LXB_TAG_CAPTION, {Tag::kCaption}},
    {LXB_TAG_SCRIPT, kDrop},
    {LXB_TAG_STYLE, kDrop},
    {LXB_TAG_NOSCRIPT, kDrop},
    {LXB_TAG_NOFRAMES, kDrop},
    {LXB_TAG_NOEMBED, kDrop},
    {LXB_TAG_TEMPLATE, kDrop},
    {LXB_TAG_SVG, kDrop},
    {LXB_TAG_BUTTON, kDrop},
    {LXB_TAG_SELECT, kDrop},
    {LXB_TAG_DATALIST, kDrop},
    {LXB_TAG_TEXTAREA, kDrop},
    {LXB_TAG_AUDIO, {Tag::kEmbed, true}},
    {LXB_TAG_VIDEO, {Tag::kEmbed, true}},
    {LXB_TAG_CANVAS, kDrop},
    {LXB_TAG_MAP, kDrop},
    {LXB_TAG_PROGRESS, kDrop},
    {LXB_TAG_METER, kDrop},
    {LXB_TAG_RT, kDrop},  // the reading of a ruby, beside what it is the reading of
    {LXB_TAG_RP, kDrop},
};

constexpr std::array<Kind, LXB_TAG__LAST_ENTRY> make_kinds() {
  std::array<Kind, LXB_TAG__LAST_ENTRY> kinds{};
  for (const KindRow& row : kKinds) kinds[row.id] = row.kind;
  return kinds;
}

constexpr std::array<Kind, LXB_TAG__LAST_ENTRY> kKindOf = make_kinds();

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

constexpr bool is_raw_text(lxb_tag_id_t id) { return id == LXB_TAG_SCRIPT || id == LXB_TAG_STYLE; }

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
      return token.tag_id == LXB_TAG_INPUT;
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
  size_t num_elements = 0;

  lxb_html_token_t* pass(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    return next(tokenizer, token, next_context);
  }

  [[nodiscard]] bool in_raw_text() const {
    const size_t depth = lexbor_array_length(tree->open_elements);
    if (depth == 0) return false;
    const auto* node = static_cast<lxb_dom_node_t*>(lexbor_array_get(tree->open_elements, depth - 1));
    return is_raw_text(node->local_name);
  }

  lxb_html_token_t* operator()(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    if (token->tag_id == LXB_TAG__EM_COMMENT) return token;
    const size_t bytes = nodes.bytes() + texts.bytes();
    if (bytes > most_bytes + most_bytes / 4 || too_many_names(*tokenizer)) return stop(tokenizer);
    if (token->tag_id == LXB_TAG__TEXT) return in_raw_text() ? token : pass(tokenizer, token);
    if (is_formatting(token->tag_id)) token->tag_id = LXB_TAG_SPAN;
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
    return lexbor_array_length(tree->open_elements) >= kMaxDepth || num_elements >= kMaxElements;
  }
};

lxb_html_token_t* filter_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* context) {
  return (*static_cast<Filter*>(context))(tokenizer, token);
}

std::string_view view(const lexbor_str_t* text) {
  return text == nullptr || text->data == nullptr
             ? std::string_view()
             : std::string_view(reinterpret_cast<const char*>(text->data), text->length);
}

/// Whether a style attribute hides its element: the value behind display: or visibility:, white space skipped.
bool hides(std::string_view style) {
  for (const auto& [key, value] : {std::pair{"display", "none"}, std::pair{"visibility", "hidden"}}) {
    const size_t at = style.find(key);
    if (at == std::string_view::npos) continue;
    std::string_view rest = style.substr(at + std::string_view(key).size());
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':')) rest.remove_prefix(1);
    if (rest.starts_with(value)) return true;
  }
  return false;
}

uint8_t marks_of_role(std::string_view role) {
  for (const std::string_view aside :
       {"navigation", "complementary", "menu", "menubar", "alert", "alertdialog", "dialog", "search", "contentinfo",
        "toolbar", "tooltip", "tablist", "listbox", "button"}) {
    if (role == aside) return kAside;
  }
  return role == "main" || role == "article" ? kMainRole : 0;
}

uint8_t marks_of(std::string_view name, std::string_view value) {
  if (name == "role") return marks_of_role(value);
  if (name == "itemprop") {
    if (value.find("articleBody") != std::string_view::npos || value == "reviewBody") return kArticleBody;
    return value == "comment" ? kCommentItem : 0;
  }
  if (name == "itemtype") return value.ends_with("/Comment") || value.ends_with("/UserComments") ? kCommentItem : 0;
  if (name == "hidden") return value == "until-found" ? 0 : kHidden;
  if (name == "aria-hidden") return value == "true" ? kHidden : 0;
  if (name == "aria-modal") return value == "true" ? kHidden : 0;
  return 0;
}

/// Returns the id where it names boilerplate and the classes do not.
HtmlId read_attributes(const lxb_dom_node_t* from, HtmlNode& to) {
  HtmlId id;
  uint32_t hints_of_id = 0;
  auto* attribute = reinterpret_cast<const lxb_dom_element_t*>(from)->first_attr;
  for (; attribute != nullptr; attribute = attribute->next) {
    const std::string_view value = view(attribute->value);
    switch (attribute->node.local_name) {
      case LXB_DOM_ATTR_CLASS:
        to.hints |= hints_of_name(value);
        continue;
      case LXB_DOM_ATTR_ID:
        // That of a heading or a term is made of what it says, and names no part of the page.
        if (is_heading(to.tag) || to.tag == Tag::kDt) continue;
        id.id = value;
        hints_of_id = hints_of_name(value);
        continue;
      case LXB_DOM_ATTR_STYLE:
        if (hides(value)) to.marks |= kHidden;
        continue;
      case LXB_DOM_ATTR_TYPE:
        if (value == "hidden") to.marks |= kHidden;
        continue;
      default:
        break;
    }
    size_t size = 0;
    const lxb_char_t* name = lxb_dom_attr_qualified_name(attribute, &size);
    to.marks |= marks_of({reinterpret_cast<const char*>(name), size}, value);
  }
  const bool named = (hints_of_id & kBoilerplate) != 0 && (to.hints & kBoilerplate) == 0;
  id.hints = to.hints;
  to.hints |= hints_of_id;
  return named ? id : HtmlId();
}

std::string_view attribute_of(const lxb_dom_node_t* node, std::string_view wanted) {
  auto* attribute = reinterpret_cast<const lxb_dom_element_t*>(node)->first_attr;
  for (; attribute != nullptr; attribute = attribute->next) {
    size_t size = 0;
    const lxb_char_t* name = lxb_dom_attr_qualified_name(attribute, &size);
    if (std::string_view(reinterpret_cast<const char*>(name), size) == wanted) return view(attribute->value);
  }
  return {};
}

std::string_view first_text(const lxb_dom_node_t* node) {
  const lxb_dom_node_t* child = node->first_child;
  if (child == nullptr || child->type != LXB_DOM_NODE_TYPE_TEXT) return {};
  return view(&reinterpret_cast<const lxb_dom_character_data_t*>(child)->data);
}

/// Copies a document into a tree, without recursion.
class Copy {
 public:
  explicit Copy(HtmlTree& tree) : tree_(tree) {}

  void run(const lxb_dom_node_t* root) {
    add(root, 0);
    uint32_t parent = 0;
    const lxb_dom_node_t* at = root->first_child;
    const lxb_dom_node_t* above = root;
    while (true) {
      if (at == nullptr) {
        tree_.nodes[parent].end = static_cast<uint32_t>(tree_.nodes.size());
        if (above == root) return;
        parent = tree_.nodes[parent].parent;
        at = above->next;
        above = above->parent;
      } else if (const auto added = static_cast<uint32_t>(tree_.nodes.size()); add(at, parent)) {
        parent = added;
        above = at;
        at = at->first_child;
      } else {
        at = at->next;
      }
    }
  }

 private:
  /// Returns whether the children are to be added below the node.
  bool add(const lxb_dom_node_t* node, uint32_t parent) {
    if (node->type == LXB_DOM_NODE_TYPE_TEXT) return add_text(node, parent), false;
    if (node->type != LXB_DOM_NODE_TYPE_ELEMENT) return false;
    if (node->local_name == LXB_TAG_HEAD) return read_head(node), false;
    const Kind kind = node->local_name < kKindOf.size() ? kKindOf[node->local_name] : Kind();
    if (kind.dropped && kind.tag != Tag::kEmbed) return false;
    HtmlNode& added = append(kind.tag, parent);
    HtmlId id = read_attributes(node, added);
    if (!id.id.empty()) {
      id.node = static_cast<uint32_t>(tree_.nodes.size() - 1);
      tree_.ids.push_back(id);
    }
    if (kind.tag == Tag::kHtml) tree_.language = attribute_of(node, "lang");
    return !kind.dropped && node->first_child != nullptr;
  }

  HtmlNode& append(Tag tag, uint32_t parent) {
    HtmlNode& added = tree_.nodes.emplace_back();
    added.tag = tag;
    added.parent = parent;
    added.end = static_cast<uint32_t>(tree_.nodes.size());
    return added;
  }

  void add_text(const lxb_dom_node_t* node, uint32_t parent) {
    append(Tag::kText, parent).text = view(&reinterpret_cast<const lxb_dom_character_data_t*>(node)->data);
  }

  void read_head(const lxb_dom_node_t* head) {
    for (const lxb_dom_node_t* child = head->first_child; child != nullptr; child = child->next) {
      if (child->local_name == LXB_TAG_TITLE && tree_.title.empty()) tree_.title = first_text(child);
      if (child->local_name == LXB_TAG_META && tree_.og_title.empty() &&
          attribute_of(child, "property") == "og:title") {
        tree_.og_title = attribute_of(child, "content");
      }
    }
  }

  HtmlTree& tree_;
};

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
    largest = size > largest ? size : largest;
    if (document == nullptr) {
      document = lxb_html_document_create();
    } else {
      lxb_html_document_clean(document);
    }
    return document != nullptr && lxb_html_document_parse_chunk_begin(document) == LXB_STATUS_OK;
  }

  bool parse_chunks(std::string_view html, const lxb_html_tokenizer_t& tokenizer) {
    for (; !html.empty(); html.remove_prefix(std::min(kChunkBytes, html.size()))) {
      const auto* const chunk = reinterpret_cast<const lxb_char_t*>(html.data());
      if (lxb_html_document_parse_chunk(document, chunk, std::min(kChunkBytes, html.size())) != LXB_STATUS_OK ||
          Filter::too_many_names(tokenizer)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether the whole page was read.
  bool parse(std::string_view html) {
    auto* parser = static_cast<lxb_html_parser_t*>(lxb_dom_interface_document(document)->parser);
    lxb_html_tokenizer_t* tokenizer = parser->tkz;
    const lxb_dom_document_t* const dom = lxb_dom_interface_document(document);
    Filter filter{.next = tokenizer->callback_token_done,
                  .next_context = tokenizer->callback_token_ctx,
                  .tree = parser->tree,
                  .nodes = Growth(dom->mraw),
                  .texts = Growth(dom->text),
                  .most_bytes = kFreeBytes + kArenaPerByte * html.size()};
    lxb_html_tokenizer_callback_token_done_set(tokenizer, &filter_token, &filter);
    failed = !parse_chunks(html, *tokenizer) || lxb_html_document_parse_chunk_end(document) != LXB_STATUS_OK;
    lxb_html_tokenizer_callback_token_done_set(tokenizer, filter.next, filter.next_context);
    return !failed;
  }
};

HtmlParser::HtmlParser() : impl_(std::make_unique<Impl>()) {}
HtmlParser::HtmlParser(HtmlParser&&) noexcept = default;
HtmlParser& HtmlParser::operator=(HtmlParser&&) noexcept = default;
HtmlParser::~HtmlParser() = default;

void HtmlParser::parse(std::string_view html, HtmlTree& tree) {
  tree.nodes.clear();
  tree.ids.clear();
  tree.title = tree.og_title = tree.language = {};
  tree.complete = false;
  if (!impl_->prepare(html.size())) return;
  tree.complete = impl_->parse(html);
  const auto* root = reinterpret_cast<const lxb_dom_node_t*>(lxb_dom_interface_document(impl_->document)->element);
  if (root != nullptr) Copy(tree).run(root);
}

}  // namespace neardup::text
