// UTF-8 that was read as Windows code page 1252 or Latin-1, and written as UTF-8 again.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` with what was written before it was misread ("CafÃ©" is "Café"), and returns true; returns
/// false, and leaves `out`, where nothing was.
/// Runs of characters beyond ASCII are looked at. One is repaired where all of its characters stand for bytes, these
/// are valid UTF-8, and no text means it as it stands:
/// - it holds U+00C2 or U+00C3 before a trail byte, not behind a capital letter of ASCII ("MAÃ»" may be a word in
///   quotation marks), or the beginning of a dash or quotation mark ("â€"), or three characters in a row; or
/// - the whole text has at least two runs that are valid so, and at most a tenth as many that are not.
/// Bytes that code page 1252 does not know, of which U+FFFD or nothing is left, are guessed as 81 where they ended a
/// character: with three whole characters in the run and at most half as many cut, or in such a text.
/// Cost: two passes. `out` is never longer than `text`, which must not lie in it.
bool repair_mojibake(std::string_view text, std::string& out);

/// The characters that lead bytes are read as. A text without one of them that may_begin_misread() is not changed.
inline constexpr char32_t kFirstLead = 0xC2;
inline constexpr char32_t kLastLead = 0xF4;
/// Returns whether a character that a trail byte may have been read as begins at `at`, right behind a lead.
[[nodiscard]] bool may_begin_misread(const char* at, const char* end);

}  // namespace neardup::text
