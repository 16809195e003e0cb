// JSON strings: are their escapes right, and what do they stand for.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::corpus {

/// Returns whether each backslash in `raw`, the inside of a JSON string, begins a valid escape.
[[nodiscard]] bool check_escapes(std::string_view raw);

/// Bytes behind the end of what it reads and writes that unescape() may read, and write without meaning.
constexpr size_t kUnescapePadding = 64;

/// Writes `raw` with its escapes replaced to `out` and returns the end of what it wrote, nullptr where an escape is not
/// valid. A surrogate without its partner becomes U+FFFD. Cost: about a vector's time for each escape and each vector.
/// Requires: kUnescapePadding readable bytes behind `raw`; room for raw.size() + kUnescapePadding at `out`.
[[nodiscard]] char* unescape(std::string_view raw, char* out);

}  // namespace neardup::corpus
