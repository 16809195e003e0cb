// Encodings whose bytes are all ASCII: what says that a text is in one of them.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns the encoding that `bytes`, all ASCII, show signs of: "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN" by their
/// escapes; "HZ-GB-2312" by its braces, where all tildes are its own, and six characters stand in them, most of them in
/// use; "UTF-7" where all that follows a plus sign is UTF-16 in base64, and says a text: two different runs, or one of
/// eight letters, of one script, in characters that are in use; what it says is asked of its first 4,096 different runs
/// and 65,536 letters. "" where there is none. The first four are proven where all that they say has a meaning
/// (is_proven()). Cost: some searches for a byte; of UTF-7 each run is read, and less than a megabyte held. Throws
/// std::bad_alloc where memory is refused. Threads: any.
[[nodiscard]] std::string_view seven_bit_encoding(std::string_view bytes);

/// Returns whether `text`, valid UTF-8, is what a text in one of these encodings says: hardly anything in it is U+FFFD,
/// no escape is left, and some characters are beyond ASCII.
[[nodiscard]] bool is_proven(std::string_view text);

}  // namespace neardup::text
