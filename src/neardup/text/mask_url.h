// URLs and mail addresses within a text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::text {

/// Returns the size of the URL that `text` begins with ("http://", "https://", "ftp://" or "www."); 0 for none. It ends
/// before white space, quotes, brackets and bytes beyond ASCII, and without the punctuation of the sentence behind it.
[[nodiscard]] size_t url_size(std::string_view text);

/// Returns the size of the mail address that `text` begins with; 0 for none. Looks at no more than 320 bytes.
[[nodiscard]] size_t email_size(std::string_view text);

/// Appends `url` to `out` without session ids (";jsessionid=...", "sid=") and tracking parameters ("utm_source=",
/// "gclid="); returns whether there were any.
bool append_without_tracking(std::string_view url, std::string& out);

}  // namespace neardup::text
