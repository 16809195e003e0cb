// Many small files, for which the disk is waited for once.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// Writes `bytes` to `path`, over what is there, without waiting for the disk: for files that nobody reads before
/// sync_file_system(). Errors: kDiskFull, kIo.
[[nodiscard]] Status write_file_unsynced(const std::string& path, std::string_view bytes);

/// Waits until all that was written to the file system of folder `path` is on the disk. Errors: kDiskFull, kIo.
[[nodiscard]] Status sync_file_system(const std::string& path);

}  // namespace neardup
