// What finished steps of a join leave in its folder: small files that are there whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::join {

/// Writes the numbers that a finished step leaves, and their checksum. `seed`: stands for the join. Errors: kIo,
/// kDiskFull.
[[nodiscard]] Status write_numbers(const std::string& path, std::span<const uint64_t> numbers, uint64_t seed = 0);
/// Returns them, or nothing where the step was not finished: also where the file is damaged, or of another step or
/// join.
[[nodiscard]] std::optional<std::vector<uint64_t>> read_numbers(const std::string& path, uint64_t seed = 0);

/// Creates `folder` if it is not there and says in its file `name` which join it belongs to: `text`, lines.
/// Errors: kMismatch where it is of another one; kIo, kDiskFull.
[[nodiscard]] Status claim_folder(const std::string& folder, const std::string& name, const std::string& text);

}  // namespace neardup::join
