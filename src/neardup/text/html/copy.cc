// lexbor's document is a tree of pointers with everything that a page says; the rules need an array of small nodes in
// the order of the page, of those elements alone that mean something to them. What is never text is left out here, so
// no later pass sees it. Texts are not copied: they are views into the document.
#include "neardup/text/html/copy.h"

#include <lexbor/dom/interfaces/attr.h>
#include <lexbor/dom/interfaces/character_data.h>
#include <lexbor/dom/interfaces/element.h>
#include <lexbor/html/interfaces/document.h>
#include <lexbor/tag/const.h>

#include <array>
#include <utility>

#include "neardup/base/hash.h"
#include "neardup/text/html/hints.h"
#include "neardup/text/html/quote_marks.h"

namespace neardup::text {
namespace {

/// How a tag id of lexbor enters the tree.
struct ElementKind {
  Tag tag = Tag::kInline;
  bool dropped = false;  // with all that is in it
};

struct KindRow {
  lxb_tag_id_enum_t id;
  ElementKind kind;
};

constexpr ElementKind kDrop = {Tag::kInline, true};

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
    {LXB_TAG_SUP, {Tag::kSup}},
    {LXB_TAG_SUB, {Tag::kSub}},
    {LXB_TAG_CITE, {Tag::kCite}},
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

constexpr std::array<ElementKind, LXB_TAG__LAST_ENTRY> make_kinds() {
  std::array<ElementKind, LXB_TAG__LAST_ENTRY> kinds{};
  for (const KindRow& row : kKinds) kinds[row.id] = row.kind;
  return kinds;
}

constexpr std::array<ElementKind, LXB_TAG__LAST_ENTRY> kKindOf = make_kinds();
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

/// Elements of one class are of one kind, as those of other pages of the site. Never 0.
uint16_t hash_of_class(std::string_view value) {
  const uint64_t hash = hash64(value);
  return static_cast<uint16_t>(hash | 1);
}

uint8_t marks_of_role(std::string_view role) {
  for (const std::string_view aside : {"navigation", "complementary", "menu", "menubar", "alert", "alertdialog",
                                       "dialog", "search", "contentinfo", "toolbar", "tooltip", "listbox"}) {
    if (role == aside) return kAside;
  }
  if (role == "button" || role == "tablist") return kButton;
  if (role == "tabpanel" || role == "region") return kPanel;
  return role == "main" || role == "article" ? kMainRole : 0;
}

uint8_t marks_of(std::string_view name, std::string_view value) {
  if (name == "role") return marks_of_role(value);
  if (name == "itemprop") {
    if (value.find("articleBody") != std::string_view::npos || value == "reviewBody") return kArticleBody;
    return value == "comment" ? kCommentItem : 0;
  }
  if (name == "itemtype" && value.ends_with("/DiscussionForumPosting")) return kForum;
  if (name == "itemtype") return value.ends_with("/Comment") || value.ends_with("/UserComments") ? kCommentItem : 0;
  if (name == "hidden") return value == "until-found" ? 0 : kHidden;
  if (name == "aria-hidden") return value == "true" ? kHidden : 0;
  if (name == "aria-modal") return value == "true" ? kHidden : 0;
  return 0;
}

/// Returns whether the page is a mail by that.
bool take_quote_mark(std::string_view name, std::string_view value, HtmlNode& to) {
  const QuoteMark mark = quote_mark_of(name, value);
  if (mark == QuoteMark::kNone) return false;
  to.hints |= mark == QuoteMark::kHead ? kQuotedHead : kQuoted;
  return mark != QuoteMark::kPost;
}

/// Returns the id where it names boilerplate and the classes do not. Sets `is_mail` where an attribute is of one.
HtmlId read_attributes(const lxb_dom_node_t* from, HtmlNode& to, bool& is_mail) {
  HtmlId id;
  uint32_t hints_of_id = 0;
  auto* attribute = reinterpret_cast<const lxb_dom_element_t*>(from)->first_attr;
  for (; attribute != nullptr; attribute = attribute->next) {
    const std::string_view value = view(attribute->value);
    switch (attribute->node.local_name) {
      case LXB_DOM_ATTR_CLASS:
        to.hints |= hints_of_name(value);
        to.name = hash_of_class(value);
        is_mail |= take_quote_mark("class", value, to);
        continue;
      case LXB_DOM_ATTR_ID:
        is_mail |= take_quote_mark("id", value, to);
        // That of a heading or a term is made of what it says, and names no part of the page.
        if (is_heading(to.tag) || to.tag == Tag::kDt) continue;
        id.id = value;
        hints_of_id = hints_of_name(value);
        continue;
      case LXB_DOM_ATTR_STYLE:
        if (hides(value)) to.marks |= kHidden;
        is_mail |= take_quote_mark("style", value, to);
        continue;
      case LXB_DOM_ATTR_TYPE:
        // Of fields those count that ask to be filled in; boxes to tick stand in lists of things to do.
        if (value == "hidden" || value == "checkbox" || value == "radio") to.marks |= kHidden;
        is_mail |= take_quote_mark("type", value, to);
        continue;
      default:
        break;
    }
    size_t size = 0;
    const lxb_char_t* name = lxb_dom_attr_qualified_name(attribute, &size);
    to.marks |= marks_of({reinterpret_cast<const char*>(name), size}, value);
  }
  if ((to.marks & kPanel) != 0) to.marks &= static_cast<uint8_t>(~kHidden);
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
class SubtreeCopy {
 public:
  explicit SubtreeCopy(HtmlTree& tree) : tree_(tree) {}

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
    ElementKind kind = node->local_name < kKindOf.size() ? kKindOf[node->local_name] : ElementKind();
    // The button that folds and unfolds what a heading heads says what the heading does.
    if (node->local_name == LXB_TAG_BUTTON && is_heading(tree_.nodes[parent].tag)) kind = ElementKind();
    if (kind.dropped && kind.tag != Tag::kEmbed) return false;
    HtmlNode& added = append(kind.tag, parent);
    HtmlId id = read_attributes(node, added, tree_.is_mail);
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
      tree_.is_article |=
          child->local_name == LXB_TAG_META && attribute_of(child, "property") == "article:published_time";
    }
  }

  HtmlTree& tree_;
};

}  // namespace

void copy_html(const lxb_html_document& document, HtmlTree& tree) {
  const auto* root = reinterpret_cast<const lxb_dom_node_t*>(document.dom_document.element);
  if (root != nullptr) SubtreeCopy(tree).run(root);
}

}  // namespace neardup::text
