// Words that mix Latin letters with Cyrillic ones that look the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::text {

/// Return the letter of the other script that looks like `letter`, as small or as capital letters; 0 where there is
/// none. See: UTS 39, confusables.txt.
[[nodiscard]] char32_t cyrillic_twin(char letter);  // a..z
[[nodiscard]] char latin_twin(char32_t letter);     // U+0400..U+053F

/// Returns whether a letter of U+0400..U+053F begins with this byte. Of Armenian, which shares the last of them, only
/// capitals do, and these are folded where this is asked.
[[nodiscard]] constexpr bool begins_cyrillic(char c) {
  return static_cast<uint8_t>(static_cast<uint8_t>(c) - 0xD0) <= 4;
}

/// Writes the words of `text` (runs of a..z and U+0400..U+052F) that mix the two scripts in one of them, where all
/// letters of the other one have a twin in it. Where both would do, the script with more letters of which only the
/// capitals look the same (b h k m t) is taken, else that of the last letter before, if it is near, else Latin.
/// `scratch` receives anything. Requires: case-folded, valid UTF-8. Cost: one pass; the text may grow to twice its
/// size.
void unmix_words(std::string& text, std::string& scratch);

}  // namespace neardup::text
