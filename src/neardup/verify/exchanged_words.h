// Has one of two short texts a word of meaning that the other one lacks, or is it a slip of the pen?
#pragma once

#include <string_view>

namespace neardup::verify {

/// Returns whether two words (UTF-8) may be one, spelt in two ways: equal; or both begin with one letter, and one is
/// made from the other by a slip. That is, where the shorter one has three letters: a letter written twice or once too
/// little, an s more at the end; five: any letter more at the end, two neighbours that changed places; six: the letter
/// of a key beside the right one; seven: any letter more; eight: any other letter. Cost: linear.
[[nodiscard]] bool may_be_one_word(std::string_view a, std::string_view b);

/// Returns whether two texts say different things by their words. They do not where one of them is made from the other,
/// word by word in their order, by slips (may_be_one_word()), a space less ("web site", "website"), words that say
/// nothing (is_free_word()) added, and characters of scripts without spaces added that turn nothing and are no more
/// than an eighth of the text that has fewer, nor than a word (free_words.h). `a` and `b`: their words, with a space
/// behind each. Cost: the product of the numbers of words between the first and the last one that differ, but most
/// pairs end at the first; with more than 1,024 the texts are others.
[[nodiscard]] bool are_other_words(std::string_view a, std::string_view b);

}  // namespace neardup::verify
