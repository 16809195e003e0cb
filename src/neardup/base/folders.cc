#include "neardup/base/folders.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "neardup/base/descriptor.h"
#include "neardup/base/file.h"
#include "neardup/base/file_system.h"

namespace neardup {
namespace {

// Makes one folder; one that is there is none of its errors. `made` says whether it was not.
Status make_folder(const std::string& path, bool& made) {
  made = file_system().mkdir(path.c_str(), 0777) == 0;
  if (made || errno == EEXIST) return {};
  const int error = errno;  // a folder that is there may be told otherwise, as by automounters
  if (const auto info = file_info(path); !info || !info->is_directory)
    return fail_errno("cannot create folder", path, error);
  return {};
}

Status make_folders(const std::string& path, bool durably) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string folder = path.substr(0, end);
    bool made = false;
    NEARDUP_TRY(make_folder(folder, made));
    if (made && durably) NEARDUP_TRY(sync_folder(parent_folder(folder)));
  }
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (!info.is_directory) return fail_errno("cannot create folder", path, ENOTDIR);
  return {};
}

using FolderWalk = std::filesystem::recursive_directory_iterator;

// Calls `visit(entry)` for all in `folder`, a folder before what is in it; links are not followed.
template <class Visit>
Status walk(const std::string& folder, const char* what, const Visit& visit) {
  std::error_code error;
  for (FolderWalk it(folder, error); !error && it != FolderWalk(); it.increment(error)) NEARDUP_TRY(visit(*it));
  if (error && error != std::errc::no_such_file_or_directory) return fail_errno(what, folder, error.value());
  return {};
}

Status removed(int result, const std::string& path) {
  if (result == 0 || errno == ENOENT) return {};
  return fail_errno("cannot remove", path, errno);
}

Status unlink_path(const std::string& path) { return removed(file_system().unlink(path.c_str()), path); }

bool is_folder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::directory;
}

}  // namespace

std::string parent_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Result<std::vector<std::string>> list_folder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error && error != std::errc::no_such_file_or_directory)
    return fail_errno("cannot list folder", folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Status create_directories(const std::string& path) { return make_folders(path, false); }

Status create_directories_durably(const std::string& path) { return make_folders(path, true); }

Status remove_all(const std::string& path) {
  std::error_code error;
  if (std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found) return {};
  if (!is_folder(path)) return unlink_path(path);
  std::vector<std::string> folders = {path};
  NEARDUP_TRY(walk(path, "cannot remove", [&](const std::filesystem::directory_entry& entry) -> Status {
    if (!is_folder(entry.path())) return unlink_path(entry.path());
    folders.push_back(entry.path());
    return {};
  }));
  for (size_t i = folders.size(); i-- > 0;) NEARDUP_TRY(removed(file_system().rmdir(folders[i].c_str()), folders[i]));
  return {};
}

void remove_empty_folder(const std::string& path) { file_system().rmdir(path.c_str()); }

Status move_path(const std::string& from, const std::string& to) {
  if (file_system().rename(from.c_str(), to.c_str()) != 0) return fail_errno("cannot rename to", to, errno);
  return {};
}

Status sync_folder(const std::string& path) {
  int descriptor = open_descriptor(path, O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  const Status synced = sync_descriptor(descriptor, path);
  const Status closed = close_descriptor(descriptor, path);
  return synced ? closed : synced;
}

Status sync_folders(const std::string& path) {
  NEARDUP_TRY(sync_folder(path));
  return walk(path, "cannot sync", [](const std::filesystem::directory_entry& entry) -> Status {
    return is_folder(entry.path()) ? sync_folder(entry.path()) : Status{};
  });
}

}  // namespace neardup
