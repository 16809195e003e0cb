// Whether bytes are a page: by what they begin with.
#include <algorithm>
#include <string>
#include <string_view>

#include "neardup/base/white_space.h"
#include "neardup/base/xml_prolog.h"
#include "neardup/text/html/html.h"

namespace neardup::text {
namespace {

constexpr size_t kLookedAtText = 4096;            // of a text behind what is passed over
constexpr size_t kPassedOver = size_t{64} << 10;  // comments, scripts and styles before the first other tag

std::string_view without_space(std::string_view text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  return text;
}

/// Returns the name of the tag that `text` begins with, in small letters; "" for none.
std::string tag_name(std::string_view text) {
  std::string name;
  for (size_t i = 1; i < text.size() && name.size() < 16; ++i) {
    const char c = static_cast<char>(text[i] | 0x20);
    const bool in_name = (c >= 'a' && c <= 'z') || (!name.empty() && text[i] >= '1' && text[i] <= '6');
    if (!in_name && !(i == 1 && text[i] == '!')) {
      return is_white_space(text[i]) || text[i] == '>' || text[i] == '/' ? name : std::string();
    }
    name.push_back(text[i] == '!' ? '!' : in_name && c < 'a' ? text[i] : c);
  }
  return {};
}

bool is_one_of(std::string_view name, std::string_view list) {
  return !name.empty() && list.find(' ' + std::string(name) + ' ') != std::string_view::npos;
}

constexpr std::string_view kFrame = " html head body ";
constexpr std::string_view kHeads = " title meta link base ";
constexpr std::string_view kBlocks =
    " div p h1 h2 h3 h4 h5 h6 table ul ol dl article section main header nav footer center pre blockquote form figure ";
// What Markdown and the files of frameworks begin with, too: a page by what comes behind.
constexpr std::string_view kInlines =
    " font span a br hr img b i u em strong small big s noscript iframe picture svg button label input ";

/// Takes away the element of the name `tag`, which `text` begins with.
void skip_raw_text(std::string_view& text, const std::string& tag) {
  do {
    remove_through(text, "</");
  } while (!text.empty() && tag_name("<" + std::string(text.substr(0, 16))) != tag);
  remove_through(text, ">");
}

/// Whether a script or a style is that of a page. Components of frameworks begin with such elements, too, but theirs
/// say nothing of a type that browsers know, nor where they come from.
bool is_of_page(std::string_view text) {
  const std::string_view tag = text.substr(0, text.find('>'));
  for (const std::string_view sign : {"src=", "text/javascript", "text/css", "ld+json", "async", "defer", "media="}) {
    if (tag.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

/// Scripts and styles that a text begins with.
struct Scripts {
  bool any = false;
  bool of_page = false;
};

Scripts skip_scripts(std::string_view& text) {
  Scripts scripts;
  for (std::string tag = tag_name(text); tag == "script" || tag == "style"; tag = tag_name(text)) {
    scripts = {.any = true, .of_page = scripts.of_page || is_of_page(text)};
    skip_raw_text(text, tag);
    text = without_xml_prolog(text);
  }
  return scripts;
}

bool is_html_doctype(std::string_view text) {
  text.remove_prefix(std::string_view("<!doctype").size());
  return tag_name("<" + std::string(without_space(text).substr(0, 16))) == "html";
}

/// Whether a line of the text begins as Markdown does, or lines of words stand between blank lines.
bool has_markdown(std::string_view text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const std::string_view line = text.substr(at + 1);
    const bool after_blank = at > 0 && (text[at - 1] == '\n' || text.substr(0, at).ends_with("\n\r"));
    const size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (marks > 0 && marks < 7 && line.substr(marks).starts_with(' ')) return true;
    if (line.starts_with("```") || line.starts_with("~~~")) return true;
    if (after_blank && !line.empty() && !is_white_space(line.front()) && line.front() != '<') return true;
  }
  return false;
}

/// Whether a tag of the list is opened in the text.
bool has_tag(std::string_view text, std::string_view list) {
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (is_one_of(tag_name(text.substr(at)), list)) return true;
  }
  return false;
}

/// Whether a tag of a page's frame comes behind inline ones, such as a rule between the parts of a mail.
bool has_frame_behind(std::string_view text) {
  constexpr int kMostTags = 8;
  for (int i = 0; i < kMostTags && is_one_of(tag_name(text), kInlines); ++i) {
    remove_through(text, ">");
    text = without_xml_prolog(text);
  }
  const std::string tag = tag_name(text);
  return tag == "!doctype" ? is_html_doctype(text) : is_one_of(tag, kFrame);
}

bool begins_as_html(std::string_view text, bool is_xml) {
  const std::string first = tag_name(text);
  if (first == "!doctype") return is_html_doctype(text);
  if (is_one_of(first, kFrame)) return true;
  if (is_xml) return false;
  const Scripts scripts = skip_scripts(text);
  text = text.substr(0, kLookedAtText);
  if ((scripts.any && has_tag(text, kFrame)) || has_frame_behind(text)) return true;
  if (scripts.any && !scripts.of_page) return false;
  const std::string tag = tag_name(text);
  if (is_one_of(tag, kHeads)) return true;
  const bool is_block = is_one_of(tag, kBlocks);
  const bool is_inline = is_one_of(tag, kInlines) && (has_tag(text, kBlocks) || has_tag(text, kFrame));
  return (is_block || is_inline) && !has_markdown(text);
}

}  // namespace

bool looks_like_html(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::string_view text = without_xml_prolog(bytes.substr(0, kPassedOver));
  return text.starts_with('<') && begins_as_html(text, bytes.starts_with("<?xml"));
}

}  // namespace neardup::text
