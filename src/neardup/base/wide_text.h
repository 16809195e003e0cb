// UTF-16 without a byte order mark: told by what it would say.
#pragma once

#include <string_view>

namespace neardup {

/// Returns "UTF-16LE" or "UTF-16BE" where `bytes` are text in it for certain: in the one order nearly all of their
/// first 64 KiB are characters of living scripts, with the blanks, line ends, full stops or kana that every text has,
/// and in the other one fewer are; "" where they are not. Cost: a look at 64 KiB at the most.
[[nodiscard]] std::string_view utf16_without_mark(std::string_view bytes);

}  // namespace neardup
