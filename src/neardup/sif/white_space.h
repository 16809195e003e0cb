// White space of ASCII: what lies between the words of files of any kind.
#pragma once

namespace neardup::sif {

[[nodiscard]] constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace neardup::sif
