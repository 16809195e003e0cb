// Johab, the encoding of Korean of DOS (KS X 1001, annex 3), for which ICU has no converter.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Returns whether `bytes` are in Johab for certain: hardly any of their pairs has no meaning, and twenty are syllables
/// of Hangul, nine of ten in use and none a quarter of all. Cost: a pass. Throws std::bad_alloc where memory is
/// refused. Threads: any.
[[nodiscard]] bool is_surely_johab(std::string_view bytes);

/// Returns what `bytes` say, in UTF-8, with U+FFFD for what has no meaning. Throws std::bad_alloc where memory is
/// refused. Threads: any.
[[nodiscard]] std::string utf8_of_johab(std::string_view bytes);

}  // namespace neardup::text
