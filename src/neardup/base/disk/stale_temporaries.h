// What a killed run leaves beside a file that it was writing.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/disk/file.h"

namespace neardup {

/// Returns whether `name` is that of a temporary file of AtomicFile for `target`.
[[nodiscard]] bool is_temporary_of(std::string_view name, std::string_view target);

/// Removes the temporary files of AtomicFile beside `path` (`path` + ".tmp" + process + "-" + number) that no process
/// is writing any more. Those of others that are at work are locked, and stay. Errors: kIo.
[[nodiscard]] Status remove_stale_temporaries(const std::string& path);

/// AtomicFile::create(), and what killed runs left beside `path` goes first, where it can. Errors: those of create().
[[nodiscard]] Result<AtomicFile> create_output(const std::string& path);

}  // namespace neardup
