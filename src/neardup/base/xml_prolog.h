// What an XML or HTML document may begin with before its first element.
#pragma once

#include <string_view>

namespace neardup {

/// Removes what `text` begins with up to and with `end`, all of it if `end` does not follow.
void remove_through(std::string_view& text, std::string_view end);

/// Returns `text` without the white space, comments, XML declarations and instructions (`<?xml...?>`; those of other
/// names, such as PHP's, begin source code) and conditional sections that it begins with. Empty if one of them does not
/// end.
[[nodiscard]] std::string_view without_xml_prolog(std::string_view text);

}  // namespace neardup
