// JSON output without a tree: appends escaped pieces to a string. Reading JSON is the work of simdjson.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// Appends `text` to `out` as a JSON string with its quotes. Control characters, quote and backslash are escaped; each
/// byte that is not part of valid UTF-8 becomes U+FFFD, so the output is always valid JSON.
void append_json_string(std::string& out, std::string_view text);

/// Appends `value` with the fewest digits that read back as the same double; NaN and infinities become null.
void append_json_number(std::string& out, double value);

}  // namespace neardup
