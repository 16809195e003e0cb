#include "neardup/text/html_notice.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "neardup/text/html_hints.h"
#include "neardup/text/html_render.h"

namespace neardup::text {
namespace {

constexpr uint32_t kMostBytes = 3000;
constexpr uint32_t kMostNodes = 256;

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool speaks_of_cookies(std::string_view text) {
  return contains_any(text, {"ookie", "OOKIE", "куки", "クッキー", "쿠키", "ملفات تعريف الارتباط"});
}

/// As notices begin, in a dozen languages; a page on cookies may say it, too, but hardly in a part right below its
/// body.
bool says_that_they_are_used(std::string_view text) {
  return contains_any(
      text, {"e use cookies",     "uses cookies",     "se of cookies",    "such as cookies",      "erwenden Cookies",
             "utzen Cookies",     "erwendet Cookies", "utzt Cookies",     "tilisons des cookies", "tilise des cookies",
             "tilizamos cookies", "samos cookies",    "tiliza cookies",   "sa cookies",           "tilizziamo i cookie",
             "tilizziamo cookie", "tilizza cookie",   "tilizza i cookie", "ebruiken cookies",     "ebruik van cookies",
             "nvänder cookies",   "ruger cookies",    "ruker cookies",    "żywamy plików cookie", "айлы cookie",
             "файлы куки",        "使用 cookie",      "使用cookie",       "使用 Cookie",          "使用Cookie",
             "Cookieを使用",      "クッキーを使用",   "쿠키를 사용",      "ملفات تعريف الارتباط"});
}

/// Right below the body, or one below that.
bool is_laid_over(const HtmlTree& tree, uint32_t part) {
  const Tag tag = tree.nodes[part].tag;
  if (tag != Tag::kDiv && tag != Tag::kSection && tag != Tag::kForm) return false;
  const uint32_t parent = tree.nodes[part].parent;
  return tree.nodes[parent].tag == Tag::kBody || tree.nodes[tree.nodes[parent].parent].tag == Tag::kBody;
}

bool holds_page(const HtmlTree& tree, uint32_t part) {
  return std::any_of(tree.nodes.begin() + part, tree.nodes.begin() + tree.nodes[part].end, [](const HtmlNode& node) {
    return node.tag == Tag::kH1 || node.tag == Tag::kMain || node.tag == Tag::kArticle ||
           (node.marks & (kMainRole | kArticleBody)) != 0;
  });
}

}  // namespace

bool is_notice(const HtmlTree& tree, const HtmlFigures& figures, uint32_t part) {
  const HtmlNode& node = tree.nodes[part];
  const bool is_named = (node.hints & kNotice) != 0;
  if (!is_named && !is_laid_over(tree, part)) return false;
  if (figures.all[part].size > kMostBytes || node.end - part > kMostNodes || holds_page(tree, part)) return false;
  std::string text;
  for (uint32_t i = part; i < node.end; ++i) append_collapsed(tree.nodes[i].text, text);
  return speaks_of_cookies(text) && (is_named || says_that_they_are_used(text));
}

}  // namespace neardup::text
