// Lines of texts, one after the other, and their letters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace neardup::text {

/// Takes the first line from `text`: a view without its end, "\n" or "\r\n".
[[nodiscard]] inline std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Whether `c` is a letter of ASCII, or of a character beyond.
[[nodiscard]] constexpr bool is_letter_byte(char c) {
  return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Returns `text` with small letters of ASCII for capital ones.
[[nodiscard]] inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return small;
}

}  // namespace neardup::text
