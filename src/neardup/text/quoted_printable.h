// HTML as mails carry it: quoted-printable.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Returns whether a page is written in quoted-printable (RFC 2045, section 6.7): attributes have "=3D" for their '=',
/// and more of them have it than a plain one before a quotation mark, in the first 8 KiB.
[[nodiscard]] bool is_quoted_printable(std::string_view html);

/// Replaces `out` by the decoded bytes: "=3D" becomes '=', "=" at the end of a line joins it with the next one, and any
/// other "=" stays.
void decode_quoted_printable(std::string_view text, std::string& out);

}  // namespace neardup::text
