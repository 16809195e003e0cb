// The bytes of a file, for the one moment in which they are looked at.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/sif/file.h"

namespace neardup::sif {

/// Returns whether the system is short of what it was asked for, memory or descriptors: the next file would be missed
/// as well.
[[nodiscard]] bool is_shortage(int errno_value);

/// Whether there is a file that can be opened. Errors: kNotFound, kIo.
[[nodiscard]] Status check_opens(const std::string& path);

/// Replaces `bytes` by those of the file, of one that gzip or Zstandard made by those it holds, and returns how many it
/// has on disk. Errors: kNotFound; kIo, also where it is no regular file or one of /proc; kCorruption where its name
/// says that it is compressed, and it is damaged; kMemory where it has, or holds, more than `limit_bytes`. `was_short`,
/// if not null, becomes true where the file was not opened because of a shortage.
[[nodiscard]] Result<uint64_t> load_bytes(const std::string& path, uint64_t limit_bytes, std::string& bytes,
                                          bool* was_short = nullptr);

/// The same of a file that was read before. Errors also: kIo where its bytes are others than they were then.
[[nodiscard]] Status load_unchanged(const File& file, uint64_t limit_bytes, std::string& bytes);

/// Returns whether there is a NUL among the first 8 KiB.
[[nodiscard]] bool is_binary(std::string_view bytes);

}  // namespace neardup::sif
