#include "neardup/corpus/unescape.h"

#include <cstdint>
#include <cstring>

namespace neardup::corpus {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_four_hex_digits(const char* p, const char* end) {
  if (end - p < 4) return false;
  return (hex_digit(p[0]) | hex_digit(p[1]) | hex_digit(p[2]) | hex_digit(p[3])) >= 0;
}

uint32_t read_four_hex_digits(const char* p) {
  return static_cast<uint32_t>(hex_digit(p[0]) << 12 | hex_digit(p[1]) << 8 | hex_digit(p[2]) << 4 | hex_digit(p[3]));
}

/// What a one-letter escape stands for, 0 where there is no such escape.
char short_escape(char letter) {
  switch (letter) {
    case 'n': return '\n';
    case '"': return '"';
    case '\\': return '\\';
    case '/': return '/';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return 0;
  }
}

char* write_utf8(uint32_t code, char* out) {
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
    return out;
  }
  if (code < 0x800) {
    *out++ = static_cast<char>(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      *out++ = static_cast<char>(0xE0 | code >> 12);
    } else {
      *out++ = static_cast<char>(0xF0 | code >> 18);
      *out++ = static_cast<char>(0x80 | (code >> 12 & 0x3F));
    }
    *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
  }
  *out++ = static_cast<char>(0x80 | (code & 0x3F));
  return out;
}

bool is_high_surrogate(uint32_t code) { return code >> 10 == 0xD800 >> 10; }
bool is_low_surrogate(uint32_t code) { return code >> 10 == 0xDC00 >> 10; }

/// Reads the code point of the \u escape whose digits begin at `p`; moves `p` behind it and behind the low surrogate
/// that completes it.
uint32_t read_unicode_escape(const char*& p, const char* end) {
  const uint32_t code = read_four_hex_digits(p);
  p += 4;
  if (is_low_surrogate(code)) return kReplacement;
  if (!is_high_surrogate(code)) return code;
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return kReplacement;
  const uint32_t low = read_four_hex_digits(p + 2);
  if (!is_low_surrogate(low)) return kReplacement;
  p += 6;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

const char* find_backslash(const char* p, const char* end) {
  const void* found = std::memchr(p, '\\', static_cast<size_t>(end - p));
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace

bool check_escapes(std::string_view raw, bool& has_escapes) {
  const char* end = raw.data() + raw.size();
  const char* p = find_backslash(raw.data(), end);
  has_escapes = p != end;
  while (p != end) {
    if (end - p < 2) return false;
    if (p[1] == 'u') {
      if (!is_four_hex_digits(p + 2, end)) return false;
      p += 6;
    } else {
      if (short_escape(p[1]) == 0) return false;
      p += 2;
    }
    if (p == end || *p != '\\') p = find_backslash(p, end);
  }
  return true;
}

char* unescape(std::string_view raw, char* out) {
  const char* p = raw.data();
  const char* end = p + raw.size();
  while (p != end) {
    if (*p != '\\') {
      const char* backslash = find_backslash(p, end);
      std::memcpy(out, p, static_cast<size_t>(backslash - p));
      out += backslash - p;
      p = backslash;
      continue;
    }
    p += 2;
    if (p[-1] == 'u') {
      out = write_utf8(read_unicode_escape(p, end), out);
    } else {
      *out++ = short_escape(p[-1]);
    }
  }
  return out;
}

}  // namespace neardup::corpus
