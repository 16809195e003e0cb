// Letters that readers take for one -> the one that stands for all: accents, vowel marks, forms of ya and kaf, digits.
#pragma once

#include <cstdint>

namespace neardup::text {

/// Up to four bytes of UTF-8, as a little-endian word.
struct FoldedLetter {
  uint32_t bytes = 0;
  uint32_t size_bytes = 0;  // 0: nothing is left of it
  bool operator==(const FoldedLetter&) const = default;
};

/// Returns what a character of a text in NFKC_Casefold counts as:
/// - Latin, Greek: the letter without its accents or strokes; ae, oe and th for the ligatures and thorn
/// - Cyrillic: U+0451 and U+0450 are U+0435, U+045D is U+0438; U+0439 and all others are letters of their own
/// - Arabic script: alif with hamza, madda or wasla is alif; ya without dots (Egyptian, Persian) is ya, the Persian kaf
///   is kaf, ta marbuta and the Urdu forms of ha are ha; a carrier of hamza is itself; tatweel is nothing
/// - accents (U+0300..U+036F) that did not compose, vowel marks of Arabic and Hebrew: nothing
/// - decimal digits of any script: those of ASCII; apostrophes that are letters: U+0027
/// - all else: itself.
/// Requires: a Unicode scalar value. Cost: some microseconds at the first call for each 256 characters, then a look-up.
/// Threads: any. See: the folding filters of Lucene (ASCII, Greek, Arabic, Persian, decimal digits).
FoldedLetter fold_letter(char32_t c);

}  // namespace neardup::text
