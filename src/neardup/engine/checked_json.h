// The small JSON files of a work folder: each has a checksum of itself.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::engine {

/// Returns the text of an object with one more member, "xxh3": the XXH3-64 of what it is without it, on one line
/// without blanks.
[[nodiscard]] std::string with_checksum(nlohmann::ordered_json json);

/// Writes that, whole or not at all. Errors: kIo, kDiskFull.
[[nodiscard]] Status write_checked_json(const std::string& path, nlohmann::ordered_json json);

/// Returns what was written, without that member. Errors: kCorruption, naming `path` and the cure, where the text is no
/// object or does not fit its checksum.
[[nodiscard]] Result<nlohmann::ordered_json> checked_json(std::string_view text, const std::string& path);

}  // namespace neardup::engine
