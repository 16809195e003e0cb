// Traditional Chinese characters -> simplified ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::text {

/// Returns the simplified form of `c` by OpenCC's character table, or for characters that are not in it by ICU's
/// "Traditional-Simplified", each character alone, until nothing changes; `c` itself where there is none or where it is
/// not a Han character. Requires: a Unicode scalar value.
/// Cost: a microsecond at the first call for each 256 characters, then a look-up. Threads: any.
char32_t fold_han(char32_t c);

/// Returns whether fold_han() gives `c` another form, and both take three bytes of UTF-8.
bool folds_in_place(char32_t c);

/// What fold_han_in_place() has found.
struct HanFolded {
  uint64_t num_han = 0;          // characters U+4E00..U+9FFF before
  uint64_t num_traditional = 0;  // that were folded, and that no simplified text writes
};

/// Folds the characters of `text`, valid UTF-8, that folds_in_place() holds for. Cost: one pass.
HanFolded fold_han_in_place(std::string& text);

/// Returns 16 hexadecimal digits that name the table: it is made when neardup is built, and another OpenCC or ICU may
/// fold other characters.
[[nodiscard]] std::string_view han_table_id();

}  // namespace neardup::text
