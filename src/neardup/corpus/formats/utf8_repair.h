// Bytes that are not UTF-8 made into UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::corpus {

/// Room that repair_utf8() needs for `size` bytes: a run of bad bytes gives 3, so bad and good in turn double.
[[nodiscard]] constexpr size_t repaired_utf8_bound(size_t size) { return 2 * size + 3; }

/// Writes `bytes` to `out` with each run of bytes that are not part of valid UTF-8 replaced by one U+FFFD; returns the
/// end of what it wrote.
[[nodiscard]] char* repair_utf8(std::string_view bytes, char* out);

/// Returns how many bytes are not part of valid UTF-8.
[[nodiscard]] size_t count_bad_utf8(std::string_view bytes);

}  // namespace neardup::corpus
