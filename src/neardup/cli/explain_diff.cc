#include <fmt/format.h>

#include "neardup/cli/explain.h"
#include "neardup/cli/sizes.h"

namespace neardup::cli {
namespace {

constexpr size_t kContextCharacters = 60;

/// The words of a change in their marks; white space at the end stays outside.
std::string marked(std::string_view text, const char* begin, const char* end) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  const size_t size = last == std::string_view::npos ? 0 : last + 1;
  return fmt::format("{}{}{}{}", begin, text.substr(0, size), end, text.substr(size));
}

std::string piece_text(const report::DiffPiece& piece, bool color) {
  switch (piece.kind) {
    case report::DiffKind::kEqual:
      return std::string(piece.b);
    case report::DiffKind::kOnlyA:
      return color ? marked(piece.a, "\x1b[31m", "\x1b[0m") : marked(piece.a, "[-", "-]");
    case report::DiffKind::kOnlyB:
      return color ? marked(piece.b, "\x1b[32m", "\x1b[0m") : marked(piece.b, "{+", "+}");
  }
  return {};
}

}  // namespace

std::string diff_page(const std::vector<report::DiffPiece>& pieces, bool color) {
  const auto merged = report::merge_small_matches(pieces);
  const bool equal = merged.empty() || (merged.size() == 1 && merged[0].kind == report::DiffKind::kEqual);
  if (equal) return "  the words are the same\n";
  std::string out;
  for (const report::DiffHunk& hunk : report::fold_equal(merged, kContextCharacters)) {
    if (hunk.skipped_characters > 0) {
      if (!out.empty() && out.back() != '\n') out += '\n';
      out += fmt::format("  ... {} equal characters ...\n", human_count(hunk.skipped_characters));
    }
    for (const report::DiffPiece& piece : hunk.pieces) out += piece_text(piece, color);
  }
  if (out.back() != '\n') out += '\n';
  return out;
}

}  // namespace neardup::cli
