// How what is kept of a short text lies in a row of numbers: simhash/short_text.h makes it, verify/short_texts.h reads.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace neardup::token {

/// Views into the row, valid as long as that is.
struct ShortText {
  uint32_t digits = 0;                   // a hash of all digits in their order
  uint32_t marks = 0;                    // of the signs and words that turn a meaning, how often each
  uint32_t pictures = 0;                 // of the emoji and smileys, each once; 0 for none
  std::string_view words = {};           // characters of scripts without spaces are words; a space behind each
  std::span<const uint32_t> grams = {};  // hashes of character n-grams, ascending, each once
};

inline constexpr size_t kShortTextHead = 4;  // numbers before the words: digits, marks, pictures, bytes of the words

/// Appends `text` but for its n-grams, which follow.
inline void append_short_text_head(const ShortText& text, std::vector<uint32_t>& row) {
  for (const uint32_t number : {text.digits, text.marks, text.pictures, static_cast<uint32_t>(text.words.size())})
    row.push_back(number);
  const size_t words_at = row.size();
  row.resize(words_at + (text.words.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  if (!text.words.empty()) std::memcpy(row.data() + words_at, text.words.data(), text.words.size());
}

/// Returns what such a row says; nothing of one that is too short for what it claims.
[[nodiscard]] inline ShortText read_short_text(std::span<const uint32_t> row) {
  if (row.size() < kShortTextHead) return {};
  const size_t size = (size_t{row[3]} + sizeof(uint32_t) - 1) / sizeof(uint32_t);
  if (size > row.size() - kShortTextHead) return {};
  const auto* const bytes = reinterpret_cast<const char*>(row.data() + kShortTextHead);
  return {row[0], row[1], row[2], {bytes, row[3]}, row.subspan(kShortTextHead + size)};
}

}  // namespace neardup::token
