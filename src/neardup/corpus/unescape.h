// JSON strings: are their escapes right, and what do they stand for.
#pragma once

#include <string_view>

namespace neardup::corpus {

/// Returns whether each backslash in `raw`, the inside of a JSON string, begins a valid escape. `has_escapes` tells
/// whether there is one.
[[nodiscard]] bool check_escapes(std::string_view raw, bool& has_escapes);

/// Writes `raw` with its escapes replaced to `out`, which has room for raw.size() bytes, and returns the end of what it
/// wrote. A surrogate without its partner becomes U+FFFD. Requires: check_escapes(raw).
[[nodiscard]] char* unescape(std::string_view raw, char* out);

}  // namespace neardup::corpus
