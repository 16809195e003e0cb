// Traditional Chinese characters -> simplified ones.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns the simplified form of `c` by OpenCC's character table, or for characters that are not in it by ICU's
/// "Traditional-Simplified", each character alone, until nothing changes; `c` itself where there is none or where it is
/// not a Han character. Requires: a Unicode scalar value.
/// Cost: a microsecond at the first call for each 256 characters, then a look-up. Threads: any.
char32_t fold_han(char32_t c);

/// Returns 16 hexadecimal digits that name the table: it is made when neardup is built, and another OpenCC or ICU may
/// fold other characters.
[[nodiscard]] std::string_view han_table_id();

}  // namespace neardup::text
