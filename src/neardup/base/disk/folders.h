// Folders: what lies in them, making, moving, removing and syncing.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/result.h"

namespace neardup {

/// Appends the names of what lies in `folder`, in no order. Returns 0, or the errno for which it, or the rest of it,
/// cannot be read.
[[nodiscard]] int read_names(const std::string& folder, std::vector<std::string>& names);

/// Returns the names of what lies in `folder`, sorted; none where there is no such folder. Errors: kIo.
[[nodiscard]] Result<std::vector<std::string>> list_folder(const std::string& folder);

/// Returns the folder that `path` lies in; "." for a bare name.
[[nodiscard]] std::string parent_folder(const std::string& path);

/// Creates `path` and its parents. Not an error if it is there. Errors: kDiskFull, kIo, kNotFound.
[[nodiscard]] Status create_directories(const std::string& path);

/// As create_directories(), and those that it made outlast a loss of power.
[[nodiscard]] Status create_directories_durably(const std::string& path);

/// Removes a file, or a folder with all that is in it; of a link the link. Not an error if it is not there. Errors:
/// kIo.
[[nodiscard]] Status remove_all(const std::string& path);

/// The same for destructors, which can tell nobody: what cannot be removed, also for want of memory, stays.
void remove_all_quietly(const std::string& path) noexcept;

/// Removes the folder `path` if nothing is in it; else, and where it cannot be removed, it stays.
void remove_empty_folder(const std::string& path);

/// Renames a file or a folder; a file at `to` is replaced. Outlasts a loss of power once the folder of `to` is synced.
/// Errors: kNotFound, kDiskFull, kIo.
[[nodiscard]] Status move_path(const std::string& from, const std::string& to);

/// Gives a file that never changes another name, or copies it where its file system cannot. Its bytes are on the disk,
/// and the name outlasts a loss of power once the folder of `to` is synced. Requires: those of `from` are on the disk;
/// there is nothing at `to`. Errors: kNotFound, kDiskFull, kIo.
[[nodiscard]] Status link_or_copy(const std::string& from, const std::string& to);

/// Waits until the names in folder `path` are on the disk (not what is in the files). Errors: kNotFound, kDiskFull,
/// kIo.
[[nodiscard]] Status sync_folder(const std::string& path);

/// sync_folder() of `path` and of all folders in it.
[[nodiscard]] Status sync_folders(const std::string& path);

}  // namespace neardup
