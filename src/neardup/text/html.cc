#include "neardup/text/html.h"

#include <algorithm>
#include <utility>

#include "neardup/text/charset.h"
#include "neardup/text/html_main.h"
#include "neardup/text/html_parser.h"
#include "neardup/text/html_render.h"

namespace neardup::text {

struct HtmlReader::Impl {
  Decoder decoder;
  HtmlParser parser;
  HtmlMain main;
  HtmlTree tree;
  HtmlChoice choice;
  std::string decoded;
};

HtmlReader::HtmlReader() : impl_(std::make_unique<Impl>()) {}
HtmlReader::HtmlReader(HtmlReader&&) noexcept = default;
HtmlReader& HtmlReader::operator=(HtmlReader&&) noexcept = default;
HtmlReader::~HtmlReader() = default;

namespace {

/// Browsers read over NUL in text; lexbor does so at a cost that grows with each.
std::string_view without_nul(std::string_view html, std::string& memory) {
  if (html.find('\0') == std::string_view::npos) return html;
  std::string rest(html);
  std::erase(rest, '\0');
  memory = std::move(rest);
  return memory;
}

}  // namespace

void HtmlReader::read(std::string_view bytes, const HtmlOptions& options, HtmlPage& page) {
  Impl& impl = *impl_;
  const std::string_view decoded =
      impl.decoder.decode(bytes.substr(0, kMaxHtmlBytes), options.charset, impl.decoded).substr(0, kMaxHtmlBytes);
  const size_t decoded_bytes = decoded.size();
  const std::string_view html = without_nul(decoded, impl.decoded);
  page.encoding = impl.decoder.encoding();
  impl.parser.parse(html, impl.tree);
  page.complete = impl.tree.complete && bytes.size() <= kMaxHtmlBytes && decoded_bytes < kMaxHtmlBytes &&
                  !impl.decoder.has_failed();
  impl.main.choose(impl.tree, options.main_only, impl.choice);
  render(impl.tree, impl.choice, page.text);
  page.title.clear();
  append_collapsed(impl.tree.title.empty() ? impl.tree.og_title : impl.tree.title, page.title);
  if (page.title.ends_with(' ')) page.title.pop_back();
  if (page.title.starts_with(' ')) page.title.erase(0, 1);
  page.language = impl.tree.language;
}

namespace {

constexpr size_t kLookedAt = 4096;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns the name of the tag that `text` begins with, in small letters; "" for none.
std::string tag_name(std::string_view text) {
  std::string name;
  for (size_t i = 1; i < text.size() && name.size() < 16; ++i) {
    const char c = static_cast<char>(text[i] | 0x20);
    const bool in_name = (c >= 'a' && c <= 'z') || (!name.empty() && text[i] >= '1' && text[i] <= '6');
    if (!in_name && !(i == 1 && text[i] == '!')) {
      return is_space(text[i]) || text[i] == '>' || text[i] == '/' ? name : std::string();
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
constexpr std::string_view kBlocks = " div p h1 h2 h3 table ul article section main center ";
// What Markdown and the files of frameworks begin with, too: a page by what comes behind.
constexpr std::string_view kInlines = " font span a ";
constexpr std::string_view kScripts = " script style ";

/// Takes away comments, processing instructions and white space that `text` begins with; a comment without end is all.
std::string_view skip_prolog(std::string_view text) {
  while (true) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    const std::string_view end = text.starts_with("<!--") ? "-->" : text.starts_with("<?") ? "?>" : "";
    if (end.empty()) return text;
    const size_t at = text.find(end);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
}

bool is_html_doctype(std::string_view text) {
  text.remove_prefix(std::string_view("<!doctype").size());
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return tag_name("<" + std::string(text.substr(0, 16))) == "html";
}

/// Whether a line of the text begins as Markdown does, or lines of words stand between blank lines.
bool has_markdown(std::string_view text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const std::string_view line = text.substr(at + 1);
    const bool after_blank = at > 0 && (text[at - 1] == '\n' || text.substr(0, at).ends_with("\n\r"));
    const size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (marks > 0 && marks < 7 && line.substr(marks).starts_with(' ')) return true;
    if (line.starts_with("```") || line.starts_with("~~~")) return true;
    if (after_blank && !line.empty() && !is_space(line.front()) && line.front() != '<') return true;
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

}  // namespace

bool looks_like_html(std::string_view bytes) {
  std::string_view text = bytes.substr(0, kLookedAt);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const bool is_xml = text.starts_with("<?xml");
  text = skip_prolog(text);
  if (!text.starts_with('<')) return false;
  const std::string first = tag_name(text);
  if (first == "!doctype") return is_html_doctype(text);
  if (is_one_of(first, kFrame)) return true;
  if (is_xml) return false;
  if (is_one_of(first, kHeads)) return true;
  if (is_one_of(first, kScripts)) return has_tag(text, kFrame);
  const bool is_block = is_one_of(first, kBlocks);
  const bool is_inline = is_one_of(first, kInlines) && (has_tag(text, kBlocks) || has_tag(text, kFrame));
  return (is_block || is_inline) && !has_markdown(text);
}

}  // namespace neardup::text
