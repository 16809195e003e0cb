// Which characters jieba's segmenter takes together: its regular expressions, as functions.
#pragma once

#include <cstdint>

namespace neardup::token {

/// Han characters that jieba knows: U+4E00..U+9FD5.
inline constexpr char32_t kFirstHan = 0x4E00;
inline constexpr char32_t kLastHan = 0x9FD5;

inline bool is_jieba_han(char32_t c) { return c - kFirstHan <= kLastHan - kFirstHan; }

inline bool is_ascii_alnum(char32_t c) { return (c | 0x20) - 'a' < 26 || c - '0' < 10; }

/// A character of a block, re_han_default: [\u4E00-\u9FD5a-zA-Z0-9+#&\._%\-]. Words are looked for in blocks.
inline bool is_block_character(char32_t c) {
  return is_jieba_han(c) || is_ascii_alnum(c) || c == '+' || c == '#' || c == '&' || c == '.' || c == '_' || c == '%' ||
         c == '-';
}

/// White space as Python's \s has it.
inline bool is_python_space(char32_t c) {
  return (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace neardup::token
