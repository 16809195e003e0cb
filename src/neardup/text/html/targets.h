// What the links and pictures of a page point to: the substance of pages that have hardly any text.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by a line for each target of a link or picture (href, src) and each text that stands for a picture
/// (alt), in the order of the page, as they stand there. Returns false where the page has scripts: then what readers
/// see may come from anywhere, and the rest may be what all pages of the site share. Of each tag 1,024 bytes are looked
/// at. Cost: one pass over `html`.
[[nodiscard]] bool read_targets(std::string_view html, std::string& out);

}  // namespace neardup::text
