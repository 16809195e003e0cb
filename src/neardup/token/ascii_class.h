// The part of tokenizing that looks at many bytes at a time: ASCII, and common Han characters.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::token {

/// Sets bit i of `alnum` where byte i of `text` is an ASCII letter or digit, bit i of `high` where it is not ASCII; all
/// other bits of the size / 64 + 1 words become 0. Cost: SIMD of the machine (Highway), the same result for each.
void classify_ascii(const char* text, size_t size, uint64_t* alnum, uint64_t* high);

/// Characters that are CharacterClass::kUnit and told from their first two bytes in UTF-8.
inline constexpr char32_t kFirstCommonHan = 0x4E00;
inline constexpr char32_t kLastCommonHan = 0x9FBF;

/// Of CharacterClass::kSyllable, told from their first two bytes, too.
inline constexpr char32_t kFirstCommonSyllable = 0xAC00;
inline constexpr char32_t kLastCommonSyllable = 0xD77F;

/// Set in `alnum` also the first byte of each character from kFirstCommonHan to kLastCommonHan, or also of each from
/// kFirstCommonSyllable to kLastCommonSyllable; `high`, as classify_ascii() made it, says which bits these are.
/// Requires: valid UTF-8.
void add_common_han(const char* text, size_t size, uint64_t* alnum, const uint64_t* high);
void add_common_han_and_hangul(const char* text, size_t size, uint64_t* alnum, const uint64_t* high);

}  // namespace neardup::token
