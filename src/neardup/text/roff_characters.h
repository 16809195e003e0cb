// Characters by the names that troff has for them.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Appends the character of that name: "em", "bu", "u2014", "u0041_0301", "char233", ":a". Appends nothing for names
/// that are not known. See: groff_char(7).
void append_roff_character(std::string_view name, std::string& out);

}  // namespace neardup::text
