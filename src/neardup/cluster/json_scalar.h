// What a raw JSON value says, as a text or as a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup::cluster {

/// Returns the text of a JSON string without its quotes and escapes, and any other value as it is. Escapes that stand
/// for no character (a lone surrogate, an unknown letter) stay as they are.
[[nodiscard]] std::string json_text(std::string_view raw);

/// Returns the number that `raw` stands for (see KeepRule, max); nothing for all other values.
[[nodiscard]] std::optional<double> json_number(std::string_view raw);

/// Returns the seconds since 1970 in UTC of an ISO 8601 date or time in its extended format: YYYY-MM, YYYY-MM-DD, or
/// YYYY-MM-DD, then 'T' or a space, hh:mm[:ss[.fraction]] and Z, an offset (+hh, +hhmm, +hh:mm) or nothing for UTC.
[[nodiscard]] std::optional<double> iso_seconds(std::string_view text);

}  // namespace neardup::cluster
