// What must hold for the difference of any two texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/diff/characters.h"
#include "neardup/diff/diff.h"

namespace neardup::diff {

inline std::string without_space(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    DecodedCharacter character = character_at(text, i);
    if (character_role(character.code_point) != CharacterRole::kSpace) out += text.substr(i, character.length);
    i += character.length;
  }
  return out;
}

/// Returns what is wrong with `pieces` as a difference of `a` and `b`; empty where nothing is.
inline std::string check_pieces(const std::vector<DiffPiece>& pieces, std::string_view a, std::string_view b) {
  std::string all_a, all_b;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const DiffPiece& piece = pieces[i];
    all_a += piece.a, all_b += piece.b;
    if (piece.a.empty() && piece.b.empty()) return "an empty piece";
    if (i > 0 && pieces[i - 1].kind == piece.kind) return "two neighbours of one kind";
    if (i > 0 && pieces[i - 1].kind == DiffKind::kOnlyB && piece.kind == DiffKind::kOnlyA) return "B before A";
    if (piece.kind == DiffKind::kOnlyA && !piece.b.empty()) return "a piece of A with text of B";
    if (piece.kind == DiffKind::kOnlyB && !piece.a.empty()) return "a piece of B with text of A";
    if (piece.kind == DiffKind::kEqual && without_space(piece.a) != without_space(piece.b)) return "not equal";
  }
  if (all_a != a) return "the pieces are not A";
  if (all_b != b) return "the pieces are not B";
  return "";
}

/// Returns what is wrong with the hunks of `pieces`: no change may be lost, and all that is skipped is counted.
inline std::string check_hunks(const std::vector<DiffPiece>& pieces, size_t context) {
  std::string changes, kept_changes;
  size_t characters = 0, kept_characters = 0;
  auto count = [](std::string_view text) {
    size_t total = 0;
    // Where they stand: white space may lie between bytes that would be one character without it.
    for (size_t i = 0, length = 0; i < text.size(); i += length) {
      length = character_at(text, i).length;
      if (!without_space(text.substr(i, length)).empty()) ++total;
    }
    return total;
  };
  for (const DiffPiece& piece : pieces) {
    if (piece.kind == DiffKind::kEqual) characters += count(piece.a);
    if (piece.kind != DiffKind::kEqual) changes.append(piece.a).append(piece.b);
  }
  for (const DiffHunk& hunk : fold_equal(pieces, context)) {
    kept_characters += hunk.skipped_characters;
    for (const DiffPiece& piece : hunk.pieces) {
      if (piece.kind == DiffKind::kEqual && without_space(piece.a) != without_space(piece.b))
        return "a cut is not equal";
      if (piece.kind == DiffKind::kEqual) kept_characters += count(piece.a);
      if (piece.kind != DiffKind::kEqual) kept_changes.append(piece.a).append(piece.b);
    }
  }
  if (changes != kept_changes) return "a change is lost";
  return characters == kept_characters ? "" : "skipped characters are miscounted";
}

/// Checks diff_words, merge_small_matches and fold_equal on two texts.
inline std::string check_diff(std::string_view a, std::string_view b) {
  std::vector<DiffPiece> pieces = diff_words(a, b);
  std::vector<DiffPiece> merged = merge_small_matches(pieces);
  for (const auto* each : {&pieces, &merged}) {
    std::string error = check_pieces(*each, a, b);
    if (error.empty()) error = check_hunks(*each, 10);
    if (!error.empty()) return error;
  }
  return check_pieces(diff_words(a, b, 3), a, b);
}

}  // namespace neardup::diff
