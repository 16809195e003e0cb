// What is compared of a short text: its characters, for its words are too few.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::recipe {

/// Replaces `out` by a row as token/short_text.h describes it: a hash of all digits of the text in their order, of the
/// signs, emoji and words that turn a meaning (turning_marks.h), its words, then the hashes of its character n-grams,
/// ascending, each once. The characters are those of the tokens, with a space where tokens do not touch and at both
/// ends. An n-gram has two characters where both are of a script without spaces between words, else three. With `mode`
/// kSyllables Hangul is such a script, and a space between two of its syllables is none. Of such scripts each character
/// is a word. Words of ornaments (ornaments.h) are left out.
/// `tokens` come from the normalised text `normalized` and may overlap (pairs of characters). Empty for no tokens.
/// Cost: some 20 ns a character.
void short_text_features(std::string_view normalized, std::span<const token::Token> tokens, token::CjkMode mode,
                         std::vector<uint32_t>& out);

/// Returns whether a text has fewer than so many words. A token is a word; characters of scripts without spaces are
/// counted one by one by token::unit_weight(). `tokens` and `mode`: as above.
/// Cost: linear, up to so many words.
[[nodiscard]] bool has_fewer_words(std::string_view normalized, std::span<const token::Token> tokens,
                                   token::CjkMode mode, size_t words);

/// No text with so many tokens for each of `words` has fewer than these.
inline constexpr size_t kMostTokensPerWord = 4;

}  // namespace neardup::recipe
