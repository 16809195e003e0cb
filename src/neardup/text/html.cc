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
  const size_t most = std::min(options.max_bytes, kMaxHtmlBytes);
  const std::string_view decoded =
      impl.decoder.decode(bytes.substr(0, most), options.charset, impl.decoded).substr(0, most);
  const size_t decoded_bytes = decoded.size();
  const std::string_view html = without_nul(decoded, impl.decoded);
  page.encoding = impl.decoder.encoding();
  impl.parser.parse(html, impl.tree);
  page.complete = impl.tree.complete && bytes.size() <= most && decoded_bytes < most && !impl.decoder.has_failed();
  impl.main.choose(impl.tree, options.main_only, impl.choice);
  render(impl.tree, impl.choice, page.text);
  page.title.clear();
  append_collapsed(impl.tree.title.empty() ? impl.tree.og_title : impl.tree.title, page.title);
  if (page.title.ends_with(' ')) page.title.pop_back();
  if (page.title.starts_with(' ')) page.title.erase(0, 1);
  page.language = impl.tree.language;
}

}  // namespace neardup::text
