// Text without the blanks around it.
#pragma once

#include <algorithm>
#include <string_view>

namespace neardup {

/// Returns `text` without the characters of `blanks` at its ends: a view of it, empty where there is nothing else.
[[nodiscard]] constexpr std::string_view trim_blanks(std::string_view text, std::string_view blanks = " \t") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace neardup
