// Signs and words that turn the meaning of a short text: C and C++, -5 and 5, "safe" and "not safe".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup::recipe {

/// Returns the sign that stands for the character at `at` of a normalised text; 0 where that is none that says
/// something. Those do: currency signs; % and per mille; signs of comparison and sets; < before a blank or =; + < >, up
/// and down arrows before a number, a minus right before one, and + or # right behind a word (C++, 18+, C#). Other
/// signs are punctuation. Requires: a character begins at `at`.
[[nodiscard]] char32_t sign_at(std::string_view normalized, size_t at);

/// Returns whether sign_at() may say something of a character that begins with this byte.
[[nodiscard]] bool may_begin_sign(char first);

/// Returns a hash of the signs of a normalised text, each as often as it stands there, in any order.
[[nodiscard]] uint32_t hash_signs(std::string_view normalized);

/// Returns a hash of the emoji and of the smileys :) and :( of a normalised text, each once; 0 where it has none.
[[nodiscard]] uint32_t hash_pictures(std::string_view normalized);

/// Returns what a word of a normalised text adds to hash_signs(): something for Roman numerals from II to XXXIX of more
/// than one letter and for words that negate in one of some thirty languages (not, nicht, sans, не, 不), else 0.
[[nodiscard]] uint32_t turning_word(std::string_view word);

}  // namespace neardup::recipe
