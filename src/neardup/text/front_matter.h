// Front matter: what generators of sites read at the front of a page's source.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` without the settings in its front matter; returns false where it has none, and `out` may be
/// anything then. Front matter stands between two lines "---" (YAML, up to "..." too) or "+++" (TOML), the first at the
/// front of the text. Settings are members that say how a page is shown and filed ("layout", "tags", "ms.author"), with
/// all that belongs to them; titles, dates, and members that are not known stay. A file of YAML documents has none.
bool leave_out_front_matter(std::string_view text, std::string& out);

}  // namespace neardup::text
