// White space of ASCII: what separates the words of text in any format.
#pragma once

namespace neardup {

/// Returns whether `c` is a space, a tab, a line feed, a vertical tab, a form feed or a carriage return.
[[nodiscard]] constexpr bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace neardup
