// Dates and times of day within a text.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::text {

/// Returns the size of the date that `text` begins with; 0 for none. `text` begins with a digit, a Chinese numeral or a
/// word, and nothing before it belongs to them.
[[nodiscard]] size_t date_size(std::string_view text);

/// Returns the size of the time of day that `text` begins with, as above.
[[nodiscard]] size_t time_size(std::string_view text);

/// Returns the size of the number that `text` begins with: digits, in groups, with a fraction, a sign of a currency
/// before or behind, a per cent sign, "k" or "m", or the letters of an ordinal; 0 for none and where a word goes on.
/// `refused` is then the size of what no number begins in: the digits and their separators before that word; else 0.
[[nodiscard]] size_t number_size(std::string_view text, size_t& refused);

/// Returns the size of the ASCII or full-width digit, or the currency sign, that `text` begins with; 0 for none.
[[nodiscard]] size_t digit_size(std::string_view text);
[[nodiscard]] size_t currency_size(std::string_view text);

}  // namespace neardup::text
