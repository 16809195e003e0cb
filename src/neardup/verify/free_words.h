// Words that make no other text of a short one by being there or not, and characters that do.
#pragma once

#include <string_view>

#include "neardup/token/unit_weight.h"

namespace neardup::verify {

/// Returns whether a word (as normalised: letters folded) says nothing by itself: an article, "of", "is", or the like,
/// of some twenty languages. No such word negates or says where, when or how many.
[[nodiscard]] bool is_free_word(std::string_view word);

/// Returns token::unit_weight() of a character with the marks on it; 0 for a word of another script, and for several
/// syllables of Hangul, as spaces part them. `word`: not empty.
[[nodiscard]] int unit_weight(std::string_view word);
using token::kWholeWord;

/// Returns whether such a character turns the meaning of what it is added to: not, former, vice, south, late.
[[nodiscard]] bool is_turning_unit(std::string_view unit);

}  // namespace neardup::verify
