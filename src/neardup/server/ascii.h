// Words of HTTP: of any case, with blanks around.
#pragma once

#include <algorithm>
#include <string_view>

namespace neardup::server {

/// Returns whether they are equal but for the case of letters of ASCII. `lower` has none in upper case.
[[nodiscard]] inline bool is_equal_but_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(
      text, lower, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b; });
}

/// Without spaces and tabs at its ends.
[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = text.find_last_not_of(" \t");
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

}  // namespace neardup::server
