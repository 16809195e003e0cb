// Sizes, counts and times as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// Reads "4G", "1.5 GiB", "300kb", "4096": K, M, G, T (either case, with or without "B" or "iB") are powers of 1,024.
/// Errors: kInvalidArgument.
[[nodiscard]] Result<uint64_t> parse_size(std::string_view text);

/// Reads "1000", "1e6", "10M", "1.5k": K, M, G are powers of 1,000 here. Errors: kInvalidArgument.
[[nodiscard]] Result<uint64_t> parse_count(std::string_view text);

/// Reads a whole number between `least` and `most`. Errors: kInvalidArgument, naming both.
[[nodiscard]] Result<int64_t> parse_whole(std::string_view text, int64_t least, int64_t most);

/// Reads a number from 0 to 1, such as "0.95", in any locale. Errors: kInvalidArgument.
[[nodiscard]] Result<double> parse_share(std::string_view text);

/// Returns kInvalidArgument, naming `what`, unless 0 <= share <= 1.
[[nodiscard]] Status check_share(std::string_view what, double share);

/// Returns the shortest form that parse_size() reads back: "4G", "512M", "1000".
[[nodiscard]] std::string size_text(uint64_t bytes);

/// Returns a size in decimal units with up to three digits: "999 B", "1.5 MB", "310 MB".
[[nodiscard]] std::string human_bytes(double bytes);

/// Returns a number with commas: "77,944".
[[nodiscard]] std::string human_count(uint64_t count);

/// Returns a time as people say it: "0.4 s", "12 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string human_seconds(double seconds);

}  // namespace neardup
