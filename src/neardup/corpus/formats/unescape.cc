#include "neardup/corpus/formats/unescape.h"

#include <array>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/corpus/formats/unescape.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef NEARDUP_CORPUS_UNESCAPE_ONCE
#define NEARDUP_CORPUS_UNESCAPE_ONCE

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

/// What the letter of a short escape stands for, 0 where there is no such escape.
constexpr std::array<char, 256> kShortEscapes = [] {
  std::array<char, 256> table = {};
  table['"'] = '"';
  table['\\'] = '\\';
  table['/'] = '/';
  table['b'] = '\b';
  table['f'] = '\f';
  table['n'] = '\n';
  table['r'] = '\r';
  table['t'] = '\t';
  return table;
}();

char short_escape(char letter) { return kShortEscapes[static_cast<unsigned char>(letter)]; }

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
/// that completes it. Requires: four digits at `p`.
uint32_t read_unicode_escape(const char*& p, const char* end) {
  const uint32_t code = read_four_hex_digits(p);
  p += 4;
  if (is_low_surrogate(code)) return kReplacement;
  if (!is_high_surrogate(code)) return code;
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u' || !is_four_hex_digits(p + 2, end)) return kReplacement;
  const uint32_t low = read_four_hex_digits(p + 2);
  if (!is_low_surrogate(low)) return kReplacement;
  p += 6;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

/// Replaces the escapes that begin at `p`, one behind the other; moves `p` behind them and `out` behind what they stand
/// for. False where one is not valid.
bool replace_escapes(const char*& p, const char* end, char*& out) {
  do {
    if (end - p < 2) return false;
    const char letter = p[1];
    p += 2;
    if (letter == 'u') {
      if (!is_four_hex_digits(p, end)) return false;
      out = write_utf8(read_unicode_escape(p, end), out);
    } else {
      *out = short_escape(letter);
      if (*out++ == 0) return false;
    }
  } while (p != end && *p == '\\');
  return true;
}

const char* find_backslash(const char* p, const char* end) {
  const void* found = std::memchr(p, '\\', static_cast<size_t>(end - p));
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace
}  // namespace neardup::corpus
#endif  // NEARDUP_CORPUS_UNESCAPE_ONCE

HWY_BEFORE_NAMESPACE();
namespace neardup::corpus {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Copies a vector at a time and looks in it for the next backslash.
char* unescape_kernel(const char* p, const char* end, char* out) {
  const hn::CappedTag<uint8_t, kUnescapePadding> d;
  const auto backslash = hn::Set(d, uint8_t{'\\'});
  while (p != end) {
    const auto bytes = hn::LoadU(d, reinterpret_cast<const uint8_t*>(p));
    hn::StoreU(bytes, d, reinterpret_cast<uint8_t*>(out));
    const intptr_t found = hn::FindFirstTrue(d, hn::Eq(bytes, backslash));
    const ptrdiff_t plain = found < 0 ? static_cast<ptrdiff_t>(hn::Lanes(d)) : static_cast<ptrdiff_t>(found);
    if (plain >= end - p) return out + (end - p);
    p += plain;
    out += plain;
    if (found >= 0 && !replace_escapes(p, end, out)) return nullptr;
  }
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::corpus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::corpus {

HWY_EXPORT(unescape_kernel);

bool check_escapes(std::string_view raw) {
  const char* end = raw.data() + raw.size();
  const char* p = find_backslash(raw.data(), end);
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
  return HWY_DYNAMIC_DISPATCH(unescape_kernel)(raw.data(), raw.data() + raw.size(), out);
}

}  // namespace neardup::corpus
#endif  // HWY_ONCE
