// Figures as people read them: 15,897 and 59.7 MB and 43.3 % and 2 min 05 s.
#pragma once

#include <cstdint>
#include <string>

namespace neardup::report {

/// Returns at most four characters and a unit for places without room: "999", "1k", "1.2k", "15k", "3.4M", "18E".
[[nodiscard]] std::string short_count(uint64_t value);

/// Returns decimal bytes with three digits and a unit: "0 B", "999 B", "59.7 MB", "1.25 GB".
[[nodiscard]] std::string bytes(uint64_t value);

/// Returns `part` of `whole` as "43.3 %"; never rounds something to nothing ("< 0.1 %") nor a part to the whole
/// ("> 99.9 %"). Returns "0 %" where `whole` is 0.
[[nodiscard]] std::string percent(uint64_t part, uint64_t whole);

/// Returns a duration: "0.012 s", "4.31 s", "2 min 05 s", "3 h 20 min". Negative and NaN count as 0.
[[nodiscard]] std::string duration(double seconds);

/// Returns `amount` a second as "12,345 /s" or, with a noun, "12,345 documents/s"; and "-" where `seconds` is too small
/// to tell.
[[nodiscard]] std::string rate(uint64_t amount, double seconds, const std::string& noun = "");

/// Returns `amount` bytes a second as "120 MB/s", and "-" where `seconds` is too small to tell.
[[nodiscard]] std::string byte_rate(uint64_t amount, double seconds);

/// Returns "0.87"; values outside 0..1 are clamped, NaN counts as 0. Never rounds below 1 to "1.00".
[[nodiscard]] std::string similarity(double value);

/// Returns "1 document" or "2 documents": the count with thousands separators, and the noun, with an s but for one.
[[nodiscard]] std::string counted(uint64_t count, const std::string& noun);

/// Returns the share part / whole in 0..1; 0 where `whole` is 0.
[[nodiscard]] double share(uint64_t part, uint64_t whole);

}  // namespace neardup::report
