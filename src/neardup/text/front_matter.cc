#include "neardup/text/front_matter.h"

#include <algorithm>
#include <array>
#include <optional>

#include "neardup/base/sorted_words.h"
#include "neardup/base/trim.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kMostFrontMatter = size_t{16} << 10;  // of front matter

// Members of Jekyll, Hugo, Hexo, Docusaurus, MkDocs, Pandoc, R Markdown, Quarto and Jupytext, in small letters.
constexpr SortedWords kSettings(std::to_array<std::string_view>({
    "aliases",
    "author",
    "authors",
    "banner",
    "bibliography",
    "biblio-style",
    "categories",
    "category",
    "class",
    "comment",
    "comments",
    "cover",
    "csl",
    "css",
    "documentclass",
    "draft",
    "editor",
    "execute",
    "featured",
    "featured_image",
    "fontsize",
    "format",
    "geometry",
    "grand_parent",
    "has_children",
    "header",
    "header-img",
    "header-includes",
    "hero",
    "hidden",
    "image",
    "images",
    "img",
    "jekyll-theme",
    "js",
    "jupyter",
    "jupytext",
    "katex",
    "kernelspec",
    "knit",
    "lang",
    "language",
    "layout",
    "licence",
    "license",
    "link-citations",
    "locale",
    "manager",
    "math",
    "mathjax",
    "menu",
    "mermaid",
    "nav_order",
    "order",
    "output",
    "parent",
    "permalink",
    "pin",
    "published",
    "redirect_from",
    "redirect_to",
    "robots",
    "sequence",
    "series_order",
    "share",
    "sidebar",
    "sidebar_label",
    "sidebar_position",
    "sitemap",
    "slug",
    "spdx-license-identifier",
    "style",
    "tag",
    "tags",
    "template",
    "theme",
    "thumbnail",
    "toc",
    "toc_float",
    "type",
    "url",
    "vignette",
    "weight",
}));

enum class Marks { kYaml, kToml };

std::optional<Marks> marks_at(std::string_view line) {
  const std::string_view mark = trim_blanks(line);
  if (mark == "---") return Marks::kYaml;
  if (mark == "+++") return Marks::kToml;
  return std::nullopt;
}

bool ends(std::string_view line, Marks marks) {
  const std::string_view mark = trim_blanks(line);
  return marks == Marks::kToml ? mark == "+++" : mark == "---" || mark == "...";
}

bool is_member_byte(char c) { return is_letter_byte(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'; }

/// The name of the member that a line begins, without quotes; empty where it begins none.
std::string_view name_at(std::string_view line, char sign) {
  const size_t end = static_cast<size_t>(std::ranges::find_if_not(line, is_member_byte) - line.begin());
  const std::string_view behind = trim_blanks(line.substr(end));
  const bool is_member = end > 0 && behind.starts_with(sign) &&
                         (sign == '=' || behind.size() == 1 || behind[1] == ' ' || behind[1] == '\t');
  return is_member ? line.substr(0, end) : std::string_view();
}

bool is_setting(std::string_view name) {
  const std::string small = in_small_letters(name);
  return kSettings.contains(small) || small.starts_with("ms.");
}

/// Whether a line belongs to the member before it, or to none.
bool goes_on(std::string_view line) {
  return line.empty() || line.front() == ' ' || line.front() == '\t' || line.front() == '-' || line.front() == '#' ||
         line.front() == ']' || line.front() == '}';
}

/// Of several documents of YAML in one file none is the settings of another one.
bool looks_like_yaml(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!trim_blanks(line).empty()) return !name_at(line, ':').empty() || line.starts_with("- ");
  }
  return false;
}

}  // namespace

bool leave_out_front_matter(std::string_view text, std::string& out) {
  std::string_view rest = text;
  const auto marks = marks_at(take_line(rest));
  if (!marks) return false;
  out.clear();
  const char sign = *marks == Marks::kYaml ? ':' : '=';
  bool is_in_setting = false, has_setting = false;
  while (text.size() - rest.size() <= kMostFrontMatter && !rest.empty()) {
    const std::string_view line = take_line(rest);
    if (ends(line, *marks)) {
      if (!has_setting || (*marks == Marks::kYaml && looks_like_yaml(rest))) return false;
      out += rest;
      return true;
    }
    const std::string_view name = name_at(line, sign);
    const bool is_table = *marks == Marks::kToml && line.starts_with('[');
    if (name.empty() && !is_table && !goes_on(line)) return false;
    if (!name.empty() || is_table) is_in_setting = !name.empty() && is_setting(name);
    has_setting = has_setting || is_in_setting;
    if (!is_in_setting) (out += line) += '\n';
  }
  return false;
}

}  // namespace neardup::text
