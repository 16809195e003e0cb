#include "neardup/text/quoted_printable.h"

#include <algorithm>
#include <cstddef>

namespace neardup::text {
namespace {

constexpr size_t kLookedAtBytes = size_t{8} << 10;
constexpr size_t kLeast = 2;  // attributes; one may be about quoted-printable

size_t count(std::string_view text, std::string_view what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = (c | 0x20) - 'a';
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

/// The size of the line break at `at`, blanks before it included; 0 where there is none.
size_t break_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  if (end < text.size() && text[end] == '\r') ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 - at : 0;
}

}  // namespace

bool is_quoted_printable(std::string_view html) {
  html = html.substr(0, kLookedAtBytes);
  const size_t quoted = std::max(count(html, "=3D\""), count(html, "=3D'")) + count(html, "=3D#");
  return quoted >= kLeast && quoted > count(html, "=\"") + count(html, "='");
}

void decode_quoted_printable(std::string_view text, std::string& out) {
  out.clear();
  size_t copied = 0;
  for (size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', copied)) {
    out.append(text, copied, at - copied);
    copied = at + 1;
    if (const size_t line_break = break_at(text, copied); line_break != 0) {
      copied += line_break;
      continue;
    }
    const int high = copied < text.size() ? digit_of(text[copied]) : -1;
    const int low = copied + 1 < text.size() ? digit_of(text[copied + 1]) : -1;
    if (high < 0 || low < 0) {
      out.push_back('=');
      continue;
    }
    out.push_back(static_cast<char>(high * 16 + low));
    copied += 2;
  }
  out.append(text, copied);
}

}  // namespace neardup::text
