// Numbers that a page raises or lowers: <sup>5</sup> is no 5 of its line.
#pragma once

#include <string>
#include <string_view>

#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Returns whether the text in an element of this tag is to be written by append_raised(): a number with its sign, or
/// "n", in kSup or kSub. "4th", "[1]" are not.
[[nodiscard]] bool is_raised(Tag tag, std::string_view text);

/// Appends a text of which is_raised() holds in characters of Unicode: "⁵", "⁻²", "ₙ".
void append_raised(Tag tag, std::string_view text, std::string& out);

}  // namespace neardup::text
