// Pieces of JSON: members of answers, and elements of arrays that are known to be valid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::server {

/// Appends `"name":` after a comma where one is due.
void append_key(std::string& out, std::string_view name);
void append_text(std::string& out, std::string_view name, std::string_view text);
/// Appends the text, or null where it is empty.
void append_text_or_null(std::string& out, std::string_view name, std::string_view text);
void append_number(std::string& out, std::string_view name, double number);
/// Appends the number, or null where there is none.
void append_number_or_null(std::string& out, std::string_view name, std::optional<double> number);
void append_count(std::string& out, std::string_view name, uint64_t count);
void append_bool(std::string& out, std::string_view name, bool value);

/// Returns the elements of `array`, as they stand there, in their order. Requires: it is a valid JSON array. Errors:
/// kInvalidArgument where there are more than `most`.
[[nodiscard]] Result<std::vector<std::string_view>> elements_of(std::string_view array, size_t most);

/// Returns it without the byte order mark that some programs put before UTF-8.
[[nodiscard]] inline std::string_view without_mark(std::string_view json) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return json.starts_with(kMark) ? json.substr(kMark.size()) : json;
}

/// Returns what is between the quotes. Requires: a JSON string without escapes.
[[nodiscard]] inline std::string_view unquoted(std::string_view raw) { return raw.substr(1, raw.size() - 2); }

}  // namespace neardup::server
