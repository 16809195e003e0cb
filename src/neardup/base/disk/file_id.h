// Which file of the system it is, by whatever name.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

struct stat;

namespace neardup {

struct FileId {
  uint64_t device = 0;
  uint64_t number = 0;      // of the file on its device
  bool is_regular = false;  // else a pipe, a device, a folder, ...
  bool is_device = false;   // such as /dev/null
  auto operator<=>(const FileId&) const = default;
};

/// Nothing where there is no such file; links are followed.
[[nodiscard]] std::optional<FileId> file_id(const std::string& path);
/// Of an open descriptor.
[[nodiscard]] std::optional<FileId> file_id(int descriptor);
/// Of what the system has told of a file.
[[nodiscard]] FileId file_id(const struct stat& info);

/// Whether two paths name one place, whatever is there or is not: links of folders, "." and ".." count for nothing.
/// Where the system cannot tell, whether they are written alike.
[[nodiscard]] bool is_same_place(const std::string& a, const std::string& b);

}  // namespace neardup
