#include "neardup/base/json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace neardup {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the size of the valid UTF-8 sequence at `text[at]` (RFC 3629), or 0. The first byte is not ASCII.
size_t valid_sequence(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : uint8_t{0}; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(0), second = byte(1);
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped_ascii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(static_cast<uint8_t>(c)));
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  size_t plain = 0;  // start of the run of bytes that need no change
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (c >= 0x80) {
      if (const size_t size = valid_sequence(text, i); size != 0) {
        i += size;
        continue;
      }
      out.append(text, plain, i - plain);
      out += kReplacement;
    } else if (c < 0x20 || c == '"' || c == '\\') {
      out.append(text, plain, i - plain);
      append_escaped_ascii(out, text[i]);
    } else {
      ++i;
      continue;
    }
    plain = ++i;
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

}  // namespace neardup
