// UTF-16 and UTF-32, with a byte order mark or without one: then told by what they would say.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

struct WideMark {
  std::string_view encoding = {};  // "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"; "" where there is none
  size_t size_bytes = 0;
};

/// Returns the byte order mark that `bytes` begin with. That of UTF-32LE begins as that of UTF-16LE does, behind which
/// no text has a NUL.
[[nodiscard]] WideMark wide_mark(std::string_view bytes);

/// Returns the encoding where `bytes` are text in UTF-16 or UTF-32 for certain: in the one byte order nearly all of
/// their first 64 KiB are characters of living scripts, with the blanks, line ends, full stops or kana that every text
/// has, and in the other one fewer are; "" where they are not. Cost: a look at 64 KiB at the most.
[[nodiscard]] std::string_view wide_without_mark(std::string_view bytes);

/// Returns the size of a unit of such an encoding: 4 of UTF-32, 2 of UTF-16.
[[nodiscard]] constexpr size_t wide_unit_bytes(std::string_view encoding) {
  return encoding.starts_with("UTF-32") ? 4 : 2;
}

}  // namespace neardup
