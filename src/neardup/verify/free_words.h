// Words that make no other text of a short one by being there or not, and characters that do.
#pragma once

#include <string_view>

namespace neardup::verify {

/// Returns whether a word (as normalised: letters folded) says nothing by itself: an article, "of", "is", or the like,
/// of some twenty languages. No such word negates or says where, when or how many.
[[nodiscard]] bool is_free_word(std::string_view word);

/// What a character counts by which words are not parted from each other, in twelfths of a word, with the marks on it:
/// two ideographs or syllables of Hangul are a word, three kana, four letters of Thai, Lao, Khmer or Burmese. Returns
/// 0 for a word of another script. `word`: not empty.
[[nodiscard]] int unit_weight(std::string_view word);
inline constexpr int kWholeWord = 12;

/// Returns whether such a character turns the meaning of what it is added to: not, former, vice, south, late.
[[nodiscard]] bool is_turning_unit(std::string_view unit);

}  // namespace neardup::verify
