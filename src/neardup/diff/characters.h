// Code points of text that may be anything: decoding that never fails, classes for the diff, and forms that are
// safe to show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::diff {

/// One decoded character: `length` bytes of the text, 1..4. A byte that is not part of valid UTF-8 comes alone, as
/// U+FFFD with `valid` false.
struct Character {
  char32_t code_point = 0;
  uint8_t length = 1;
  bool valid = true;
};

/// Returns the character that begins at `text[position]`. Requires: position < text.size().
[[nodiscard]] Character character_at(std::string_view text, size_t position);

/// What a character is to the diff.
enum class CharacterClass {
  kSpace,   // white space
  kWord,    // letters and digits that words are made of
  kAlone,   // a token by itself: ideographs, kana, Thai and other scripts without spaces, punctuation, symbols, emoji
  kExtend,  // belongs to the character before it: combining marks, joiners, variation selectors
};
[[nodiscard]] CharacterClass character_class(char32_t code_point);

/// Returns whether a character cannot be seen, or changes how its neighbours are shown: control characters but tab and
/// line feed, direction overrides and embeddings, zero-width spaces. Joiners and direction marks, which scripts need,
/// are not among them.
[[nodiscard]] bool is_hidden(char32_t code_point);

/// Returns how many columns of a terminal a character takes: 0 (marks), 1 or 2 (East Asian wide, emoji).
[[nodiscard]] int terminal_width(char32_t code_point);

/// Returns the name of a character that cannot be shown itself: "U+202E".
[[nodiscard]] std::string code_point_name(char32_t code_point);

/// Appends `code_point` to `out` as UTF-8. Requires: a code point that is not a surrogate.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace neardup::diff
