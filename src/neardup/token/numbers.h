// Which tokens are numbers, told by a bit of the 32-bit hashes that verification compares.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::token {

/// Returns whether `token` (valid UTF-8) has a decimal digit of any script, a raised, lowered or circled one or a
/// fraction, and no letter or mark: 1346, 3.5, 1,346 or 12%, where the tokenizer makes one token of them, 10⁵, ½; not
/// 2nd, mp3 or a Chinese numeral.
[[nodiscard]] bool is_number(std::string_view token);

/// Returns the low 32 bits of a token's hash, the lowest saying whether the token is a number.
[[nodiscard]] inline uint32_t marked_hash(uint64_t hash, bool is_number) {
  return (static_cast<uint32_t>(hash) & ~1U) | static_cast<uint32_t>(is_number);
}
/// Returns what marked_hash() was told.
[[nodiscard]] inline bool is_marked_number(uint32_t marked) { return (marked & 1) != 0; }

/// Stands behind the title of a page, or the heading of a text, in a sequence of marked hashes.
inline constexpr uint32_t kHeadingEnd = 0x7E11E8D2;
/// Stands there, or before a text without a title, where a page is no single text, but lists others.
inline constexpr uint32_t kListHeadingEnd = 0x5115721E;
/// Returns whether a marked hash is one of these two.
[[nodiscard]] inline bool ends_heading(uint32_t marked) { return marked == kHeadingEnd || marked == kListHeadingEnd; }

}  // namespace neardup::token
