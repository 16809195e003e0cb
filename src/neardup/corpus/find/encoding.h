// Bytes in another encoding than UTF-8: told by a byte order mark, by NUL bytes, by how much is not valid.
#pragma once

#include <string>
#include <string_view>

namespace neardup::corpus {

/// Returns whether `bytes` begin with the byte order mark of UTF-16 or UTF-32.
[[nodiscard]] bool has_wide_mark(std::string_view bytes);

/// Returns whether `bytes` are UTF-16 or UTF-32, by their byte order mark or by what they would say.
[[nodiscard]] bool is_wide(std::string_view bytes);

/// Returns what the byte order mark says that `bytes` begin with, for behind their name, with the cure: UTF-16 or
/// UTF-32; "" for none, and for that of UTF-8.
[[nodiscard]] std::string why_not_utf8(std::string_view bytes);

/// Returns the same of a table or lines that begin with `head`, also where there is no mark.
[[nodiscard]] std::string why_wide(std::string_view head);

/// Returns what is ASCII in UTF-16 or UTF-32, without their mark, and "?" for each other unit; other bytes as they are.
[[nodiscard]] std::string narrow(std::string bytes);

/// Returns why the text file with these bytes is no text, for behind its name, with the cure; "" where it may be some.
/// Of a file that was given itself a few NUL bytes are allowed, more than 1 % of its first 8 KiB are not.
[[nodiscard]] std::string why_no_text(std::string_view bytes, bool named);

/// Returns whether more than 1 % of `bytes` are not part of valid UTF-8: more than damage, another encoding. Cost: one
/// pass of simdjson where all is valid.
[[nodiscard]] bool is_hardly_utf8(std::string_view bytes);

}  // namespace neardup::corpus
