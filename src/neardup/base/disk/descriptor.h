// Descriptors of the file system of this process, with errors that name the path: for the files of this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// Opens `path` through file_system(), closed on exec, with the permissions of the umask. Returns -1 and errno where
/// it fails; no signal cuts it.
[[nodiscard]] int open_descriptor(const std::string& path, int flags);

/// Errors of all: kDiskFull, kIo; `path` is for their messages.
[[nodiscard]] Status truncate_descriptor(int descriptor, uint64_t size_bytes, const std::string& path);
/// Not an error where the file system knows no syncing.
[[nodiscard]] Status sync_descriptor(int descriptor, const std::string& path);
/// Sets `descriptor` to -1.
[[nodiscard]] Status close_descriptor(int& descriptor, const std::string& path);
/// Writes all of `bytes` to a blocking descriptor, in as many calls as it takes: no signal cuts them.
[[nodiscard]] Status write_all(int descriptor, std::string_view bytes, const std::string& path);

}  // namespace neardup
