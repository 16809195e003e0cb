// The chosen parts as lines of text: what differs in markup alone must come out the same. So white space counts as one
// space, blocks end a line, cells of a row stand between tabs, and only preformatted text keeps its lines. A raised or
// lowered number stays one. Ends of open blocks are kept on a stack of its own, not by recursion.
#include "neardup/text/html/render.h"

#include <cstring>

#include "neardup/text/html/raised.h"

namespace neardup::text {
namespace {

constexpr bool is_rendered_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Renderer {
 public:
  Renderer(const HtmlTree& tree, const HtmlChoice& choice, std::string& out)
      : tree_(tree), choice_(choice), out_(out) {}

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
  }

 private:
  void start(const HtmlNode& node, uint32_t i) {
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
  std::vector<uint32_t> open_;
};

}  // namespace

void append_collapsed(std::string_view text, std::string& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (is_rendered_space(*at)) {
      if (!out.empty() && !is_rendered_space(out.back())) out.push_back(' ');
      while (at < end && is_rendered_space(*at)) ++at;
    } else {
      const char* from = at;
      while (at < end && !is_rendered_space(*at)) ++at;
      out.append(from, static_cast<size_t>(at - from));
    }
  }
}

void render(const HtmlTree& tree, const HtmlChoice& choice, std::string& out) {
  out.clear();
  Renderer renderer(tree, choice, out);
  for (const uint32_t root : choice.roots) renderer.part(root);
}

}  // namespace neardup::text
