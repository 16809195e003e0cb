// Which of the encodings of Western Europe before Windows a text is in that ICU's detector does not tell.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns "macintosh" or "IBM850" (whose letters code page 437 has at the same places) where four of five bytes beyond
/// ASCII that stand behind a small letter of ASCII are small letters in it, at least three, and more than in `found`,
/// the encoding that was taken for theirs; else `found`. Signs of Windows that stand behind words, such as quotation
/// marks and dashes, count for nothing. Only windows-1252 is doubted: whatever bytes there are, it fits. Cost: three
/// passes.
[[nodiscard]] std::string_view western_encoding(std::string_view bytes, std::string_view found);

}  // namespace neardup::text
