// Texts in other encodings than UTF-8 that were read as Latin-1 or Windows code page 1252.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by what `text` was before it was misread ("Ïðèâåò" is "Привет"), and returns true; returns false, and
/// leaves `out`, where it is no such text for certain: all its characters are bytes, no fewer letters are beyond ASCII
/// than not, and in the encoding that such bytes are taken for where nobody declares one (charset.h) they are Cyrillic,
/// or Han, kana and Hangul that are in use. No language is written in letters that nearly all have accents. Of other
/// scripts a text stays as it is. Cost: two passes, and a look at 64 KiB, where the letters are so; else one at most.
/// Throws std::bad_alloc where memory is refused. `text` must not lie in `out`.
bool repair_misread_bytes(std::string_view text, std::string& out);

/// Returns whether a text of `size_bytes` may be one of those, of whose characters `num_latin` are U+0080 to U+00FF.
[[nodiscard]] constexpr bool may_be_misread_bytes(size_t num_latin, size_t size_bytes) {
  return num_latin >= 20 && num_latin * 5 >= size_bytes;
}

}  // namespace neardup::text
