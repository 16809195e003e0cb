// What a page says, in this order: its main text; where that is little, what it keeps for readers without scripts, then
// what it says as data for machines; in mails of pictures also what these and the links point to. Of the second and
// third so much is asked that a note of the site does not do: more than twice what there is. It then stands before what
// is shown, as pages of one site may share that.
// Everything is kept from page to page: parser, tree and buffers grow to the largest page and stay.
// docs/html.md: by which rules main text is found, and how well.
#include "neardup/text/html/html.h"

#include <algorithm>
#include <utility>

#include "neardup/base/utf8.h"
#include "neardup/text/charset.h"
#include "neardup/text/html/data.h"
#include "neardup/text/html/main.h"
#include "neardup/text/html/parser.h"
#include "neardup/text/html/render.h"
#include "neardup/text/html/targets.h"
#include "neardup/text/quoted_printable.h"

namespace neardup::text {

namespace {

constexpr size_t kLittle = 500;  // bytes of text below which more is looked for
constexpr size_t kLittleBesidePictures = 1000;
constexpr size_t kLeastOther = 250;  // bytes of what is found there that make it a text

}  // namespace

struct HtmlReader::Impl {
  Decoder decoder;
  HtmlParser parser;
  HtmlMain main;
  HtmlTree tree;
  HtmlChoice choice;
  std::string unquoted;  // of quoted-printable
  std::string decoded;
  std::string other;  // what else may be the page's text
  std::string data;

  /// Returns whether quotes were marked.
  bool show(bool main_only, std::string& text, bool quotes = false) {
    main.choose(tree, main_only, choice);
    return render(tree, choice, text, quotes);
  }

  void take_title(HtmlPage& page) const {
    page.title.clear();
    append_collapsed(tree.title.empty() ? tree.og_title : tree.title, page.title);
    if (page.title.ends_with(' ')) page.title.pop_back();
    if (page.title.starts_with(' ')) page.title.erase(0, 1);
    page.language = tree.language;
  }

  /// Takes the other text where it says much more, before the one that is shown: pages of one site may share the other.
  /// A few words there are notes that scripts are needed, or of the site. `whole`: whether all of the other was read.
  void prefer_other(HtmlPage& page, bool whole) {
    if (other.size() < kLeastOther || other.size() <= 2 * page.text.size()) return;
    other += page.text;
    page.text.swap(other);
    page.complete = page.complete && whole;
    page.is_list = main.was_list();
  }

  /// The page of mails as it was before they were sent.
  std::string_view unquote(std::string_view bytes) {
    if (!is_quoted_printable(bytes)) return bytes;
    decode_quoted_printable(bytes, unquoted);
    return unquoted;
  }

  /// What a mail of pictures says: a note beside them may be all that others share with it.
  void add_targets(std::string_view html, HtmlPage& page) {
    if (main.was_plain() && read_targets(html, other) && other.size() >= page.text.size()) page.text += other;
  }

  /// For pages that show little: what they keep for readers without scripts, then what they say as data.
  void look_further(std::string_view html, bool main_only, HtmlPage& page) {
    if (tree.reserve_bytes >= kLeastOther || tree.has_template) {
      parser.parse(html, tree, true);
      show(main_only, other);
      prefer_other(page, tree.complete);
    }
    if (page.text.size() >= kLittle) return;
    read_linked_data(html, data);
    if (data.size() < kLeastOther) return;
    const std::string_view read = cut_at_character(data, html.size());  // so memory keeps to that of the page
    parser.parse(read, tree);
    show(false, other);
    prefer_other(page, tree.complete && read.size() == data.size());
  }
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
  const std::string_view unquoted = impl.unquote(bytes.substr(0, most));
  const std::string_view decoded = impl.decoder.decode(unquoted, options.charset, impl.decoded).substr(0, most);
  const size_t decoded_bytes = decoded.size();
  const std::string_view html = without_nul(decoded, impl.decoded);
  page.encoding = impl.decoder.encoding();
  impl.parser.parse(html, impl.tree);
  impl.take_title(page);
  page.shown.clear();
  if (options.shown) impl.show(false, page.shown);
  const bool is_mail = options.mark_quotes && impl.tree.is_mail;
  page.complete = impl.tree.complete && bytes.size() <= most && decoded_bytes < most && !impl.decoder.has_failed();
  page.quotes = impl.show(options.main_only && !is_mail, page.text, options.mark_quotes);
  page.is_list = impl.main.was_list();
  if (is_mail) return;
  if (page.text.size() < kLittle) impl.look_further(html, options.main_only, page);
  if (page.text.size() < kLittleBesidePictures) impl.add_targets(html, page);
}

}  // namespace neardup::text
