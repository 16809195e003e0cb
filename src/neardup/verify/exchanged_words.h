// Does a word of one short text stand in the place of another one, or is it a slip of the pen?
#pragma once

#include <string_view>

namespace neardup::verify {

/// Returns whether two words (UTF-8) may be one, spelt in two ways: equal; the longer one has one letter more at its
/// end and the other at least three; or both begin with one letter, have at least five, and one is made from the other
/// by a letter more, less or other, or by two neighbours changing places. Cost: linear.
[[nodiscard]] bool may_be_one_word(std::string_view a, std::string_view b);

/// Returns whether each of two texts has a word of its own that is not one of the other's by may_be_one_word(). What
/// only one of them has besides makes them no others, nor do spaces: "web site", "website". `a` and `b`: their words,
/// with a space behind each. Cost: their sizes times the number of words that differ, at most 64 on each side; with
/// more the texts are others.
[[nodiscard]] bool are_other_words(std::string_view a, std::string_view b);

}  // namespace neardup::verify
