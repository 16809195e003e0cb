// Texts that were read in a code page that is not theirs: runs of characters beyond ASCII, and the bytes that they
// were.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace neardup::text {

/// Returns whether `c` is ASCII, and no part of another character.
[[nodiscard]] constexpr bool is_ascii_byte(char c) { return static_cast<uint8_t>(c) < 0x80; }

/// Some characters beyond ASCII in a row.
struct MisreadRun {
  size_t begin = 0, end = 0;

  [[nodiscard]] bool is_empty() const { return begin == end; }
  [[nodiscard]] std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// Returns the next run that begins at `at` or behind; an empty one at the end of `text` where there is none.
[[nodiscard]] MisreadRun next_misread_run(std::string_view text, size_t at);

/// Returns the byte from 80 on that the code page whose characters `upper` are reads as `c`; 0 where there is none.
[[nodiscard]] uint8_t byte_in_code_page(std::span<const char16_t> upper, char32_t c);

/// Returns the byte from 80 on that Latin-1 or code page 1252 reads as `c`; 0 where there is none.
[[nodiscard]] uint8_t latin_byte(char32_t c);

/// Returns the byte that was read as a character; 0 where there is none.
using ByteOfCharacter = uint8_t (*)(char32_t);

/// Replaces `bytes` by those that the characters of `run` were read from; returns whether all were.
[[nodiscard]] bool read_back(std::string_view run, ByteOfCharacter byte_of, std::string& bytes);

/// Replaces `out` by `text` in which each run stands as `original_of` returns it, or as it is for null, and returns
/// true; returns false, and leaves `out`, where it returned nothing else.
bool replace_misread_runs(std::string_view text, std::string& out,
                          const std::function<const std::string*(const MisreadRun&)>& original_of);

}  // namespace neardup::text
