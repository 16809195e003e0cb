// Files that the owner of a store keeps with it: what its documents are compared by, too large for MANIFEST.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::store {

struct OwnFile {
  std::string name;  // letters, digits, '.', '-', '_'
  uint64_t size_bytes = 0;
  uint64_t checksum = 0;
  bool operator==(const OwnFile&) const = default;
};

/// One that is to be kept.
struct GivenFile {
  std::string name;
  std::string bytes;
};

/// Returns where a store has it.
[[nodiscard]] std::string own_file_path(const std::string& folder, std::string_view name);
/// Returns whether the name of a file in the folder of a store is that of such a file.
[[nodiscard]] bool is_own_file(std::string_view name);

/// Writes them into a folder, durably. Errors: kIo, kDiskFull.
[[nodiscard]] Result<std::vector<OwnFile>> write_own_files(const std::string& folder, std::span<const GivenFile> given);
/// Makes sure that each is what was written; `verify`: reads every byte. Errors: kNotFound, kCorruption, kIo.
[[nodiscard]] Status check_own_files(const std::string& folder, std::span<const OwnFile> files, bool verify);

}  // namespace neardup::store
