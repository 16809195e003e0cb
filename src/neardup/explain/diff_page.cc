#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "neardup/base/sizes.h"
#include "neardup/base/utf8.h"
#include "neardup/explain/explain.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"

namespace neardup::explain {
namespace {

constexpr size_t kContextCharacters = 60;
// Without --details: about a screen.
constexpr size_t kMaxChangeBytes = 400;  // of one change; a longer one loses its middle
constexpr size_t kMaxBytes = 1800;       // of everything; what differs beyond is only counted
constexpr ptrdiff_t kMaxLines = 18;

/// What is shown of a piece.
std::string change_text(std::string_view text, bool details) {
  if (details || text.size() <= kMaxChangeBytes) return report::terminal_text(text);
  const std::string_view head = cut_at_character(text, kMaxChangeBytes * 2 / 3);
  const std::string_view before_tail = cut_at_character(text, text.size() - kMaxChangeBytes / 3);
  return report::terminal_text(head) +
         fmt::format(" ... {} more ... ", report::bytes(before_tail.size() - head.size())) +
         report::terminal_text(text.substr(before_tail.size()));
}

/// The words of a change in their marks; white space at the end stays outside.
std::string marked(const std::string& text, const char* begin, const char* end) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  const size_t size = last == std::string::npos ? 0 : last + 1;
  return fmt::format("{}{}{}{}", begin, text.substr(0, size), end, text.substr(size));
}

/// Writes hunks until a screen is full, and counts the changes of the rest.
class DiffPainter {
 public:
  explicit DiffPainter(const Style& style) : style_(style) {}

  void add(const diff::DiffHunk& hunk) {
    if (hunk.skipped_characters > 0 && !is_full())
      out_ += fmt::format("  ... {} equal characters ...\n", human_count(hunk.skipped_characters));
    for (const diff::DiffPiece& piece : hunk.pieces) {
      const bool is_change = piece.kind != diff::DiffKind::kEqual;
      if (is_full()) {
        dropped_ += is_change;
      } else {
        add_piece(piece);
      }
    }
    end_line();
  }

  std::string finish() {
    if (dropped_ > 0) out_ += fmt::format("  ... and {}\n", report::counted(dropped_, "more change"));
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_full() const {
    if (style_.details) return false;
    return out_.size() >= kMaxBytes || std::count(out_.begin(), out_.end(), '\n') >= kMaxLines;
  }

  void add_piece(const diff::DiffPiece& piece) {
    switch (piece.kind) {
      case diff::DiffKind::kEqual:
        out_ += change_text(piece.b, style_.details);
        break;
      case diff::DiffKind::kOnlyA:
        add_change(piece.a, style_.color ? "\x1b[31m" : "[-", style_.color ? "\x1b[0m" : "-]");
        break;
      case diff::DiffKind::kOnlyB:
        add_change(piece.b, style_.color ? "\x1b[32m" : "{+", style_.color ? "\x1b[0m" : "+}");
        break;
    }
  }

  void add_change(std::string_view text, const char* begin, const char* end) {
    out_ += marked(change_text(text, style_.details), begin, end);
  }

  void end_line() {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }

  const Style& style_;
  std::string out_;
  size_t dropped_ = 0;
};

}  // namespace

std::string diff_page(const std::vector<diff::DiffPiece>& pieces, const Style& style) {
  const auto merged = diff::merge_small_matches(pieces);
  const bool equal = merged.empty() || (merged.size() == 1 && merged[0].kind == diff::DiffKind::kEqual);
  const size_t folded = diff::count_folded(pieces);
  const std::string note =
      folded == 0 ? ""
                  : fmt::format("  {} differently written, the same to the recipe\n", report::counted(folded, "word"));
  if (equal) return "  the words are the same\n" + note;
  DiffPainter painter(style);
  for (const diff::DiffHunk& hunk : diff::fold_equal(merged, kContextCharacters)) painter.add(hunk);
  return painter.finish() + note;
}

}  // namespace neardup::explain
