// How much of a word a character is, in scripts without spaces between words.
#pragma once

namespace neardup::token {

/// What a word counts.
inline constexpr int kWholeWord = 12;

/// Returns what a character counts by which words are not parted from each other, in twelfths of a word: two ideographs
/// or syllables of Hangul are a word, three kana, four letters of Thai, Lao, Khmer or Burmese and their kin, so that a
/// headline is as long in every script. 0 for characters of other scripts. Threads: any.
[[nodiscard]] int unit_weight(char32_t c);

}  // namespace neardup::token
