// Which of the encodings of Cyrillic a text is in that ICU's detector does not tell.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns the encoding of Cyrillic ("IBM855", "IBM866", "x-mac-cyrillic", "KOI8-U", ...) in which `bytes` make sense
/// as Russian, Ukrainian, Bulgarian or Serbian text, by how frequent its letters are and where capitals stand, and more
/// than in `found`, the encoding that was taken for theirs; else `found`. Cost: a pass for each.
[[nodiscard]] std::string_view cyrillic_encoding(std::string_view bytes, std::string_view found);

/// Returns whether `bytes` make sense in `encoding` as such a text for certain: twenty letters, of which none is a
/// quarter of all. Cost: a pass.
[[nodiscard]] bool is_surely_cyrillic(std::string_view bytes, std::string_view encoding);

}  // namespace neardup::text
