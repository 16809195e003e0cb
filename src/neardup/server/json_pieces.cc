#include "neardup/server/json_pieces.h"

#include <fmt/format.h>

#include <iterator>

#include "neardup/base/json.h"
#include "neardup/base/trim.h"

namespace neardup::server {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

/// Returns the place behind the string that begins at `i`.
size_t skip_string(std::string_view json, size_t i) {
  for (++i; json[i] != '"'; ++i) i += static_cast<size_t>(json[i] == '\\');
  return i + 1;
}

/// Returns the place behind the element that begins at `i` of an array: at the comma or bracket that ends it.
size_t skip_element(std::string_view json, size_t i) {
  for (size_t depth = 0;; ++i) {
    const char c = json[i];
    if (depth == 0 && (c == ',' || c == ']')) return i;
    if (c == '"') i = skip_string(json, i) - 1;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
  }
}

}  // namespace

void append_key(std::string& out, std::string_view name) {
  if (out.back() != '{' && out.back() != '[') out += ',';
  out += '"';
  out += name;
  out += "\":";
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
  append_key(out, name);
  append_json_string(out, text);
}

void append_text_or_null(std::string& out, std::string_view name, std::string_view text) {
  append_key(out, name);
  if (text.empty()) {
    out += "null";
  } else {
    append_json_string(out, text);
  }
}

void append_number(std::string& out, std::string_view name, double number) {
  append_key(out, name);
  append_json_number(out, number);
}

void append_number_or_null(std::string& out, std::string_view name, std::optional<double> number) {
  if (number) return append_number(out, name, *number);
  append_key(out, name);
  out += "null";
}

void append_count(std::string& out, std::string_view name, uint64_t count) {
  append_key(out, name);
  fmt::format_to(std::back_inserter(out), "{}", count);
}

void append_bool(std::string& out, std::string_view name, bool value) {
  append_key(out, name);
  out += value ? "true" : "false";
}

Result<std::vector<std::string_view>> elements_of(std::string_view array, size_t most) {
  std::vector<std::string_view> elements;
  if (trim_blanks(array.substr(1, array.size() - 2), kWhite).empty()) return elements;
  for (size_t i = 1; i < array.size();) {
    const size_t end = skip_element(array, i);
    if (elements.size() == most) return fail(Code::kInvalidArgument, fmt::format("the list holds more than {}", most));
    elements.push_back(trim_blanks(array.substr(i, end - i), kWhite));
    i = end + 1;
  }
  return elements;
}

}  // namespace neardup::server
