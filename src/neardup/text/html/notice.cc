// Notices on cookies stand in the text of pages as paragraphs do, and on short pages they outvote it. Names alone do
// not tell them: a page may be about cookies. So a part must look like a notice (small, laid over the page, without a
// headline) and speak like one, and the larger part of a page must show three signs.
// Words begin behind their first letter, since that may be large or small. Parts are nested, and each is read: a budget
// of four times the page's text bounds that, whatever the nesting.
#include "neardup/text/html/notice.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "neardup/text/html/hints.h"
#include "neardup/text/html/render.h"

namespace neardup::text {
namespace {

constexpr uint32_t kMostBytes = 3000;
constexpr uint32_t kMostNodes = 256;
constexpr size_t kMostRaw = size_t{4} * kMostBytes;  // bytes of a part as they stand, white space and all
constexpr uint64_t kTimesText = 4;
constexpr uint64_t kLeastBudget = uint64_t{64} << 10;
constexpr size_t kOpening = 80;         // bytes in which a notice that begins with its matter says it
constexpr uint32_t kSignsOfLarger = 3;  // of a part that holds the larger part of the page

using Words = std::initializer_list<std::string_view>;

bool contains_any(std::string_view text, Words words) {
  return std::ranges::any_of(words,
                             [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool speaks_of_cookies(std::string_view text) {
  return contains_any(text, {"ookie", "OOKIE", "куки", "クッキー", "쿠키", "ملفات تعريف الارتباط"});
}

/// Where a text says that cookies are used, as notices do, in a dozen languages; npos where it does not. A page that
/// tells of cookies may say it, too.
size_t place_of_use(std::string_view text) {
  constexpr std::string_view kPhrases[] = {"e use cookies",
                                           "uses cookies",
                                           "se of cookies",
                                           "such as cookies",
                                           "erwenden Cookies",
                                           "utzen Cookies",
                                           "erwendet Cookies",
                                           "utzt Cookies",
                                           "tilisons des cookies",
                                           "tilise des cookies",
                                           "tilizamos cookies",
                                           "samos cookies",
                                           "tiliza cookies",
                                           "sa cookies",
                                           "tilizziamo i cookie",
                                           "tilizziamo cookie",
                                           "tilizza cookie",
                                           "tilizza i cookie",
                                           "ebruiken cookies",
                                           "ebruik van cookies",
                                           "nvänder cookies",
                                           "ruger cookies",
                                           "ruker cookies",
                                           "żywamy plików cookie",
                                           "айлы cookie",
                                           "файлы куки",
                                           "使用 cookie",
                                           "使用cookie",
                                           "使用 Cookie",
                                           "使用Cookie",
                                           "Cookieを使用",
                                           "クッキーを使用",
                                           "쿠키를 사용",
                                           "نستخدم ملفات تعريف الارتباط",
                                           "يستخدم ملفات تعريف الارتباط",
                                           "تستخدم ملفات تعريف الارتباط"};
  size_t first = std::string_view::npos;
  for (const std::string_view phrase : kPhrases) first = std::min(first, text.find(phrase));
  return first;
}

/// Words of the kinds of things that notices offer or tell of, beside cookies; those of choice come apart.
bool speaks_of_choice(std::string_view text) {
  return contains_any(
      text, {"ccept",    "onsent",  " agree",     "eject",     "ecline",  "references", "ettings", "opt out",
             "kzeptier", "instimm", "instellung", "blehnen",   "efuser",  "aramètres",  "ceptar",  "echazar",
             "onfigura", "ccett",   "ifiuta",     "ersonaliz", "kkoord",  "eigeren",    "odkänn",  "nställning",
             "amtykke",  "cepter",  "gadzam",     "kceptuj",   "огласен", "ринять",     "астройк", "同意",
             "接受",     "拒绝",    "设置",       "設定",      "동의",    "설정",       "موافق",   "قبول"});
}

bool speaks_of_privacy(std::string_view text) {
  return contains_any(text, {"rivacy", "olicy", "atenschutz", "onfidentialité", "rivacidad", "rivacidade", "olítica",
                             "nformativa", "ersonvern", "ekretess", "rywatności", "онфиденциальност", "隐私", "隱私",
                             "プライバシー", "개인정보", "الخصوصية"});
}

bool speaks_of_tracking(std::string_view text) {
  return contains_any(
      text, {"ersonalised", "ersonalized", "personal data", "partners", "dvertising", "tracking", "ersonenbezogen",
             "Werbung", "ublicité", "ublicidad", "ubblicità", "nalytics", "реклам", "广告", "廣告", "広告", "광고"});
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

/// Whether a headline stands before a part, within what holds both.
bool is_below_headline(const HtmlTree& tree, uint32_t part) {
  const uint32_t parent = tree.nodes[part].parent;
  if (tree.nodes[parent].tag == Tag::kBody) return false;
  const auto begin = tree.nodes.begin();
  return std::any_of(begin + parent, begin + std::min(part, parent + kMostNodes),
                     [](const HtmlNode& node) { return node.tag == Tag::kH1; });
}

}  // namespace

Notices::Notices(const HtmlTree& tree, const HtmlFigures& figures, const std::vector<uint8_t>& dropped)
    : tree_(tree),
      figures_(figures),
      dropped_(dropped),
      left_(kLeastBudget + kTimesText * (figures.all.empty() ? 0 : figures.all[0].size)) {}

void Notices::read_text(uint32_t part) {
  text_.clear();
  size_t room = static_cast<size_t>(std::min<uint64_t>(kMostRaw, left_));
  for (uint32_t i = part; i < tree_.nodes[part].end && room != 0;) {
    const std::string_view text = dropped_[i] == 0 ? tree_.nodes[i].text.substr(0, room) : std::string_view();
    append_collapsed(text, text_);
    room -= text.size();
    left_ -= text.size();
    i = dropped_[i] == 0 ? i + 1 : tree_.nodes[i].end;
  }
}

bool Notices::shows_choice(uint32_t part) const {
  const auto is_button = [](const HtmlNode& node) { return (node.marks & kButton) != 0; };
  const auto begin = tree_.nodes.begin();
  return figures_.all[part].inputs != 0 || std::any_of(begin + part, begin + tree_.nodes[part].end, is_button) ||
         speaks_of_choice(text_);
}

bool Notices::is_notice(uint32_t part) {
  const HtmlNode& node = tree_.nodes[part];
  const bool is_named = (node.hints & kNotice) != 0;
  if (!is_named && !is_laid_over(tree_, part)) return false;
  const HtmlStats& stats = figures_.all[part];
  if (stats.size == 0 || stats.size > kMostBytes || node.end - part > kMostNodes || holds_page(tree_, part)) {
    return false;
  }
  read_text(part);
  if (!speaks_of_cookies(text_)) return false;
  const bool is_larger = 2 * uint64_t{stats.unlinked()} > figures_.all[0].unlinked();
  if ((node.hints & kConsent) != 0 && !is_larger) return true;
  if (is_larger && is_below_headline(tree_, part)) return false;
  const size_t place = place_of_use(text_);
  if (place == std::string_view::npos) return false;
  const uint32_t num_signs = (place < kOpening ? 1u : 0u) + (shows_choice(part) ? 1u : 0u) +
                             (speaks_of_privacy(text_) ? 1u : 0u) + (speaks_of_tracking(text_) ? 1u : 0u);
  return num_signs >= (is_larger ? kSignsOfLarger : 1u);
}

}  // namespace neardup::text
