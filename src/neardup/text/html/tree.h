// A page as a flat list of its elements and texts in document order: what the rules of main text work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::text {

/// What the rules tell apart; every other element is kInline, or is not in the tree at all (scripts, styles, drawings,
/// form controls).
enum class Tag : uint8_t {
  kText,
  kInline,
  kA,
  kBr,
  kImage,
  kEmbed,
  kInput,
  kLabel,
  kTime,
  kSup,
  kSub,
  kCite,
  // blocks:
  kHtml,
  kBody,
  kDiv,
  kSection,
  kArticle,
  kMain,
  kHeader,
  kFooter,
  kNav,
  kAside,
  kAddress,
  kDialog,
  kForm,
  kFieldset,
  kDetails,
  kFigure,
  kFigcaption,
  kP,
  kPre,
  kBlockquote,
  kHr,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kUl,
  kOl,
  kLi,
  kDl,
  kDt,
  kDd,
  kTable,
  kRowGroup,
  kTr,
  kTd,
  kTh,
  kCaption,
};

[[nodiscard]] constexpr bool is_block(Tag tag) { return tag >= Tag::kHtml; }
[[nodiscard]] constexpr bool is_heading(Tag tag) { return tag >= Tag::kH1 && tag <= Tag::kH6; }
[[nodiscard]] constexpr bool is_list(Tag tag) { return tag == Tag::kUl || tag == Tag::kOl || tag == Tag::kDl; }

/// What attributes say of an element.
enum Mark : uint8_t {
  kHidden = 1 << 0,       // hidden, aria-hidden, display: none
  kAside = 1 << 1,        // a role such as navigation, complementary, menu, dialog
  kMainRole = 1 << 2,     // role main or article
  kArticleBody = 1 << 3,  // itemprop articleBody and its like
  kCommentItem = 1 << 4,  // itemtype Comment, itemprop comment
  kForum = 1 << 6,        // itemtype DiscussionForumPosting: its comments are text
  kButton = 1 << 7,       // role button or tablist: titles of panels, or what holds them
  kPanel = 1 << 5,        // role tabpanel or region: never kHidden, as its text is one click away
};

struct HtmlNode {
  std::string_view text = {};  // of a kText; views live until the next page is parsed
  uint32_t parent = 0;
  uint32_t end = 0;  // one behind the last node below this one
  uint32_t hints = 0;
  Tag tag = Tag::kInline;
  uint8_t marks = 0;
  uint16_t name = 0;  // a hash of the class attribute; 0 without one
};

/// An id that names boilerplate, on an element whose classes do not.
struct HtmlId {
  uint32_t node = 0;
  std::string_view id = {};
  uint32_t hints = 0;  // of the classes alone
};

struct HtmlTree {
  std::vector<HtmlNode> nodes;   // the root, the html element, comes first; a parent comes before its children
  std::vector<HtmlId> ids;       // in the order of nodes
  std::string_view title;        // of the title element
  std::string_view og_title;     // of the meta element og:title
  std::string_view language;     // of the html element
  size_t reserve_bytes = 0;      // of noscript, which is not in the tree
  bool has_template = false;     // whether there was a template, which is not in the tree either
  bool is_article = false;       // by the meta element article:published_time
  bool has_layout_tags = false;  // font, center
  bool is_mail = false;          // parts of it are quoted as mail programs do (quote_marks.h)
  bool complete = true;          // false where parsing ended before the page did
};

}  // namespace neardup::text
