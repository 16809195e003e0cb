#include "neardup/text/references.h"

#include <algorithm>

#include "neardup/text/cp1252.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr size_t kLongestBody = 24;  // leading zeros of numbers included
constexpr std::string_view kAmp = "amp;";

struct Reference {
  char32_t character = 0;
  size_t size_bytes = 0;  // 0: there is none
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// As HTML has it: C1 controls are meant as characters of code page 1252, what is no character is replaced.
char32_t numbered_character(uint32_t number) {
  if (number >= 0x80 && number < 0x80 + kCp1252.size()) return kCp1252[number - 0x80];
  const bool is_scalar = number != 0 && number <= 0x10FFFF && (number & 0xFFFFF800) != 0xD800;
  return is_scalar ? static_cast<char32_t>(number) : U'\uFFFD';
}

/// The value of `c` as a digit to `base` 10 or 16, or `base` where it is none.
uint32_t digit_value(char c, uint32_t base) {
  if (is_digit(c)) return static_cast<uint32_t>(c - '0');
  const auto lower = static_cast<uint32_t>((c | 0x20) - 'a');
  return base == 16 && is_name_letter(c) && lower < 6 ? lower + 10 : base;
}

/// `digits`: "233", "xE9". 0 where it is not a number.
char32_t numbered(std::string_view digits) {
  const bool hex = !digits.empty() && (digits.front() | 0x20) == 'x';
  if (hex) digits.remove_prefix(1);
  const uint32_t base = hex ? 16 : 10;
  uint32_t number = 0;
  for (const char c : digits) {
    const uint32_t digit = digit_value(c, base);
    if (digit == base) return 0;
    number = std::min(number * base + digit, uint32_t{0x110000});
  }
  return digits.empty() ? 0 : numbered_character(number);
}

/// Whether what stands behind the ampersand at `at` may be a variable of C.
bool may_be_address(std::string_view text, size_t at) {
  std::string_view before = text.substr(0, at);
  if (before.ends_with(' ')) before.remove_suffix(1);
  if (before.ends_with("return")) return true;
  return !before.empty() && std::string_view("=(,*&").find(before.back()) != std::string_view::npos;
}

/// Letters of European languages and what any escaping writes are hardly names of variables.
bool is_plain(std::string_view name, char32_t c) {
  if (c >= 0xC0 && c < 0x250 && c != 0xD7 && c != 0xF7) return true;
  return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos" || name == "nbsp";
}

/// The reference whose body begins at `at`; the size is that of the body with its semicolon.
Reference body_at(std::string_view text, size_t at, size_t ampersand) {
  const std::string_view ahead = text.substr(at, kLongestBody);
  size_t size = ahead.starts_with('#') ? 1 : 0;
  while (size < ahead.size() && (is_name_letter(ahead[size]) || is_digit(ahead[size]))) ++size;
  if (size == ahead.size() || ahead[size] != ';') return {};
  const std::string_view body = ahead.substr(0, size);
  const char32_t c = body.starts_with('#') ? numbered(body.substr(1)) : named_character(body);
  if (c == 0) return {};
  if (!body.starts_with('#') && !is_plain(body, c) && may_be_address(text, ampersand)) return {};
  return {c, size + 1};
}

Reference reference_at(std::string_view text, size_t ampersand) {
  size_t at = ampersand + 1;
  while (text.substr(at, kAmp.size()) == kAmp) at += kAmp.size();
  const Reference body = body_at(text, at, ampersand);
  if (body.size_bytes != 0) return {body.character, at + body.size_bytes - ampersand};
  return at == ampersand + 1 ? Reference{} : Reference{U'&', at - ampersand};
}

}  // namespace

bool replace_references(std::string_view text, std::string& out) {
  size_t copied = 0;  // of `text`
  bool any = false;
  for (size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const Reference reference = reference_at(text, at);
    if (reference.size_bytes == 0) continue;
    if (!any) out.clear();
    any = true;
    out.append(text, copied, at - copied);
    append_utf8(out, reference.character);
    copied = at + reference.size_bytes;
    at = copied - 1;
  }
  if (any) out.append(text, copied);
  return any;
}

}  // namespace neardup::text
