#include "neardup/text/html/quote_marks.h"

#include <array>

#include "neardup/base/sorted_words.h"

namespace neardup::text {
namespace {

constexpr auto kMailNames = SortedWords(
    std::to_array<std::string_view>({"OLK_SRC_BODY_SECTION", "gmail_quote", "gmail_quote_container", "moz-cite-prefix",
                                     "protonmail_quote", "tutanota_quote", "yahoo_quoted", "zmail_extra"}));
constexpr auto kPostNames = SortedWords(std::to_array<std::string_view>(
    {"bbCodeBlock--quote", "bbCodeQuote", "bbc_standard_quote", "bbcode_quote", "ipsQuote", "mycode_quote",
     "quote_container", "quotebox", "quotecontent", "quoteheader", "quotetitle"}));
constexpr auto kHeadNames = SortedWords(
    std::to_array<std::string_view>({"OutlookMessageHeader", "appendonsend", "divRplyFwdMsg", "x_divRplyFwdMsg"}));

QuoteMark mark_of_names(std::string_view names) {
  while (!names.empty()) {
    const size_t end = names.find_first_of(" \t\n");
    const std::string_view name = names.substr(0, end);
    if (kMailNames.contains(name)) return QuoteMark::kMail;
    if (kPostNames.contains(name)) return QuoteMark::kPost;
    if (kHeadNames.contains(name)) return QuoteMark::kHead;
    if (end == std::string_view::npos) break;
    names.remove_prefix(end + 1);
  }
  return QuoteMark::kNone;
}

// "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"
bool is_outlooks_line(std::string_view style) {
  const size_t line = style.find("border-top:solid");
  return line != std::string_view::npos && style.find("padding:3.0pt 0") != std::string_view::npos;
}

}  // namespace

QuoteMark quote_mark_of(std::string_view name, std::string_view value) {
  if (name == "type") return value == "cite" ? QuoteMark::kMail : QuoteMark::kNone;
  if (name == "style") return is_outlooks_line(value) ? QuoteMark::kHead : QuoteMark::kNone;
  return mark_of_names(value);
}

}  // namespace neardup::text
