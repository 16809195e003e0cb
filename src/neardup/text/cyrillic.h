// Which of the encodings of Cyrillic a text is in that ICU's detector does not tell.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns "IBM855", "IBM866" or "x-mac-cyrillic" where `bytes` make sense in it as Russian, Ukrainian, Bulgarian or
/// Serbian text, by how frequent its letters are and where capitals stand, and more than in `found`, the encoding that
/// was taken for theirs; else `found`. Cost: a pass for each.
[[nodiscard]] std::string_view cyrillic_encoding(std::string_view bytes, std::string_view found);

}  // namespace neardup::text
