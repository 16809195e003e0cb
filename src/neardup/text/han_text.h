// Whether what an encoding of East Asia makes of some bytes is a text.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns whether `text`, valid UTF-8, is Chinese, Japanese or Korean for certain: it has ten characters of Han, kana
/// and Hangul, none of which is a quarter of all; nine of ten are in use, and hardly any are letters of other scripts
/// beyond ASCII or have no meaning. Throws std::bad_alloc where memory is refused. Threads: any.
[[nodiscard]] bool is_surely_han(std::string_view text);

}  // namespace neardup::text
