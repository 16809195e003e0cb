// Words of HTTP: of any case.
#pragma once

#include <algorithm>
#include <string_view>

namespace neardup::server {

/// Returns whether they are equal but for the case of letters of ASCII. `lower` has none in upper case.
[[nodiscard]] inline bool is_equal_but_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(
      text, lower, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b; });
}

}  // namespace neardup::server
