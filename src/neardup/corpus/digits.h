// Words of digits: dates and lengths of ARC, numbers in names of files.
#pragma once

#include <string_view>

namespace neardup::corpus {

/// Returns whether `text` is one or more decimal digits and nothing else.
[[nodiscard]] constexpr bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace neardup::corpus
