// Chinese in UTF-8 that was read as GBK, and written as UTF-8 again.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by what `text` was before it was misread ("浣犲ソ" is "你好"), and returns true; returns false,
/// and leaves `out`, where it is no such text for certain: in GBK most of it is UTF-8, but for what was lost where GBK
/// had no use for a pair of bytes, and says Chinese in characters that are in use (han_text.h). Chinese that is meant
/// as it stands is no UTF-8. Cost: two passes. Throws std::bad_alloc where memory is refused. `out` is never longer
/// than `text`, which must not lie in it.
bool repair_misread_han(std::string_view text, std::string& out);

/// Returns whether `text` has what a comma or a full stop of Chinese is read as, one in 2,000 bytes or more. Cost: a
/// search.
[[nodiscard]] bool may_be_misread_han(std::string_view text);

}  // namespace neardup::text
