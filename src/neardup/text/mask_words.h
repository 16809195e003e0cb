// Words that dates and times are made of.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::text {

enum class MaskWord : uint8_t { kNone, kMonth, kWeekday, kZone, kOf };

/// Returns what a word of a text means in a date: the name of a month or weekday, short or long, in any letter case; a
/// time zone; "of", "de".
/// Cost: some ns; most words fall by their first byte or their length.
[[nodiscard]] MaskWord mask_word(std::string_view word);

/// Returns whether a word that begins like `text` may be the name of a month or weekday. Cost: a look into a table.
[[nodiscard]] bool may_be_name(std::string_view text);

}  // namespace neardup::text
