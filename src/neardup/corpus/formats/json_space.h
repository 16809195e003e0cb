// What may stand between the tokens of JSON.
#pragma once

namespace neardup::corpus {

/// Returns whether `c` is white space of JSON (RFC 8259, section 2).
[[nodiscard]] constexpr bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace neardup::corpus
