// Character references of HTML in plain text: &#48372; &#xE9; &eacute; &amp;amp;
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Returns the character that the reference `name` of HTML ("eacute", "amp") stands for; 0 where there is none of that
/// name, or where it is no letter and not of HTML 4. Case counts. See: WHATWG HTML, "Named character references".
[[nodiscard]] char32_t named_character(std::string_view name);

/// Replaces `out` by `text` with the characters that references stand for, and returns true; returns false, and leaves
/// `out`, where there are none. References end with a semicolon. One whose ampersand is written as a reference itself
/// counts, too ("&amp;amp;eacute;"). Names that may be C's address of a variable ("= &image;") stay: those other than
/// amp, lt, gt, quot, apos and nbsp behind one of "=(,*&" or "return". Cost: a search for '&'; `out` is never longer
/// than `text`, which must not lie in it.
bool replace_references(std::string_view text, std::string& out);

}  // namespace neardup::text
