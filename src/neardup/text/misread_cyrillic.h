// Cyrillic in UTF-8 that was read as Windows code page 1251, KOI8-R, KOI8-U or code page 866, and written as UTF-8
// again.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` with what was written before it was misread ("РџСЂРёРІРµС‚" is "Привет", and so are
/// "п÷я─п╦п╡п╣я┌" and "╨Я╤А╨╕╨▓╨╡╤В"), and returns true; returns false, and leaves `out`, where nothing was. A run of
/// characters beyond ASCII is repaired where all of them stand for bytes of the code page, these are valid UTF-8, and
/// what they say is Cyrillic and its punctuation: at least three characters in a row, or fewer in a text that has at
/// least two such runs, and at most a tenth as many others. No language writes so: each character of it is a capital Р
/// or С before a sign, or a letter that does not follow them; or a letter or line before a line. Cost: two passes for
/// each code page. `out` is never longer than `text`, which must not lie in it.
bool repair_misread_cyrillic(std::string_view text, std::string& out);

/// Returns whether `c` is what the first byte of a Cyrillic letter is read as, and the character at `at`, right behind
/// it, what the second one may be.
[[nodiscard]] bool may_begin_misread_cyrillic(char32_t c, const char* at, const char* end);

/// The same of KOI8 and code page 866, whose signs are lines, of a whole text: whether it has what the letter o is read
/// as. Cost: a search.
[[nodiscard]] bool may_be_misread_lines(std::string_view text);

}  // namespace neardup::text
