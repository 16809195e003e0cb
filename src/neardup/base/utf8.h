// Where the characters of a text in UTF-8 begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup {

/// Returns whether a byte is one behind the first of a character.
[[nodiscard]] constexpr bool continues_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

/// Returns where the character begins that byte `at` is part of; text.size() for `at` behind the end. In bytes that are
/// not UTF-8 it goes back over no more than three.
[[nodiscard]] constexpr size_t character_begin(std::string_view text, size_t at) {
  if (at >= text.size()) return text.size();
  for (int back = 0; back < 3 && at > 0 && continues_character(text[at]); ++back) --at;
  return at;
}

/// Returns the longest start of `text` of at most `max_bytes` bytes that ends between characters.
[[nodiscard]] constexpr std::string_view cut_at_character(std::string_view text, size_t max_bytes) {
  return text.substr(0, character_begin(text, max_bytes));
}

}  // namespace neardup
