// The chosen parts as lines of text: what differs in markup alone must come out the same. So white space counts as one
// space, blocks end a line, cells of a row stand between tabs, and only preformatted text keeps its lines. A raised or
// lowered number stays one. Ends of open blocks are kept on a stack of its own, not by recursion.
#include "neardup/text/html/render.h"

#include <algorithm>
#include <cstring>

#include "neardup/base/white_space.h"
#include "neardup/text/html/hints.h"
#include "neardup/text/html/raised.h"
#include "neardup/text/quote_heads.h"

namespace neardup::text {
namespace {

constexpr size_t kLongestCite = 120;  // bytes of "Ann wrote:" at the beginning of a blockquote

/// What stands at the beginning of some nodes, up to the first colon.
std::string first_words(const HtmlTree& tree, uint32_t begin, uint32_t end) {
  std::string words;
  for (uint32_t i = begin; i < end && words.size() < kLongestCite; ++i) append_collapsed(tree.nodes[i].text, words);
  const size_t colon = words.find(':');
  return colon == std::string::npos || colon > kLongestCite ? std::string() : words.substr(0, colon + 1);
}

std::string_view last_line(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.find_last_of('\n') + 1);
}

class Renderer {
 public:
  Renderer(const HtmlTree& tree, const HtmlChoice& choice, std::string& out, bool quotes)
      : tree_(tree), choice_(choice), out_(out), quotes_(quotes) {}

  [[nodiscard]] bool has_quotes() const { return has_quotes_; }

  void part(uint32_t root) {
    end_line();
    uint32_t pre_end = 0;
    open_.clear();
    for (uint32_t i = root; i < tree_.nodes[root].end;) {
      close_before(i);
      const HtmlNode& node = tree_.nodes[i];
      if (choice_.dropped[i] != 0) {
        if (is_block(node.tag)) end_line();
        i = node.end;
        continue;
      }
      if (node.tag == Tag::kText) {
        text(node, i < pre_end);
      } else {
        start(node, i);
        if (node.tag == Tag::kPre) pre_end = node.end;
      }
      ++i;
    }
    end_line();
    end_quote();
  }

 private:
  void start(const HtmlNode& node, uint32_t i) {
    if (quotes_ && quote_end_ == 0) start_quote(node, i);
    if (node.tag == Tag::kBr) return end_line();
    if (node.tag == Tag::kTd || node.tag == Tag::kTh) return cell();
    if (!is_block(node.tag)) return;
    end_line();
    if (node.end > i + 1) open_.push_back(node.end);
  }

  void text(const HtmlNode& node, bool is_preformatted) {
    const Tag tag = tree_.nodes[node.parent].tag;
    if (is_raised(tag, node.text)) return append_raised(tag, node.text, out_);
    is_preformatted ? preformatted(node.text) : append_collapsed(node.text, out_);
  }

  void close_before(uint32_t i) {
    while (!open_.empty() && open_.back() <= i) {
      end_line();
      open_.pop_back();
    }
    if (quote_end_ != 0 && quote_end_ <= i) end_quote();
  }

  void start_quote(const HtmlNode& node, uint32_t i) {
    const bool is_head = (node.hints & kQuotedHead) != 0 || is_rule_of_head(node, i);
    if (!is_head && (node.hints & kQuoted) == 0 && !is_introduced(node, i)) return;
    has_quotes_ = true;
    end_line();
    if (is_head && !out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
    if (is_head) return;
    quote_begin_ = out_.size();
    quote_end_ = node.end;
  }

  /// Pages of archives, which show the head of a mail below a rule, too, have headings.
  [[nodiscard]] bool is_rule_of_head(const HtmlNode& node, uint32_t i) const {
    const auto heads = [](const HtmlNode& before) { return is_heading(before.tag); };
    return node.tag == Tag::kHr && std::none_of(tree_.nodes.begin(), tree_.nodes.begin() + i, heads) &&
           begins_head(first_words(tree_, i + 1, static_cast<uint32_t>(tree_.nodes.size())));
  }

  [[nodiscard]] bool is_introduced(const HtmlNode& node, uint32_t i) {
    if (node.tag != Tag::kBlockquote) return false;
    end_line();
    if (introduces_mail(last_line(out_))) return true;
    constexpr uint32_t kNear = 4;  // nodes before the cite of a forum
    const uint32_t end = std::min(node.end, i + kNear);
    uint32_t cite = i + 1;
    while (cite < end && tree_.nodes[cite].tag != Tag::kCite) ++cite;
    return cite < end && says_wrote(first_words(tree_, cite + 1, tree_.nodes[cite].end));
  }

  /// A mail that is passed on shows so itself.
  void end_quote() {
    if (quote_end_ == 0) return;
    quote_end_ = 0;
    end_line();
    const std::string quoted = out_.substr(quote_begin_);
    if (begins_forward(quoted)) return;
    out_.resize(quote_begin_);
    for (size_t begin = 0; begin < quoted.size();) {
      const size_t end = std::min(quoted.find('\n', begin), quoted.size() - 1) + 1;
      out_.append("> ").append(quoted, begin, end - begin);
      begin = end;
    }
  }

  void cell() {
    strip();
    if (!out_.empty() && out_.back() != '\n') out_.push_back('\t');
  }

  void strip() {
    while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\t')) out_.pop_back();
  }

  void end_line() {
    strip();
    if (!out_.empty() && out_.back() != '\n') out_.push_back('\n');
  }

  /// Lines as they stand, without those that are empty.
  void preformatted(std::string_view text) {
    for (const char c : text) {
      if (c == '\n') {
        end_line();
      } else if (c != '\r') {
        out_.push_back(c);
      }
    }
  }

  const HtmlTree& tree_;
  const HtmlChoice& choice_;
  std::string& out_;
  bool quotes_;
  bool has_quotes_ = false;
  size_t quote_begin_ = 0;  // in the output, of what is quoted
  uint32_t quote_end_ = 0;  // the node behind it; 0 outside
  std::vector<uint32_t> open_;
};

}  // namespace

void append_collapsed(std::string_view text, std::string& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (is_white_space(*at)) {
      if (!out.empty() && !is_white_space(out.back())) out.push_back(' ');
      while (at < end && is_white_space(*at)) ++at;
    } else {
      const char* from = at;
      while (at < end && !is_white_space(*at)) ++at;
      out.append(from, static_cast<size_t>(at - from));
    }
  }
}

bool render(const HtmlTree& tree, const HtmlChoice& choice, std::string& out, bool quotes) {
  out.clear();
  Renderer renderer(tree, choice, out, quotes);
  for (const uint32_t root : choice.roots) renderer.part(root);
  return renderer.has_quotes();
}

}  // namespace neardup::text
