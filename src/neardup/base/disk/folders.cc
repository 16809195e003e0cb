#include "neardup/base/disk/folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/file_system.h"

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

// Calls `visit(name)` for all in `folder`; none where there is no such folder.
template <class Visit>
Status each_name(const std::string& folder, const char* what, const Visit& visit) {
  std::vector<std::string> names;
  const int error = read_names(folder, names);
  if (error == ENOENT) return {};
  if (error != 0) return fail_errno(what, folder, error);
  for (const std::string& name : names) NEARDUP_TRY(visit(name));
  return {};
}

enum class Kind { kNone, kFolder, kOther };

// Links are not followed.
Result<Kind> kind_of(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) return S_ISDIR(info.st_mode) ? Kind::kFolder : Kind::kOther;
  if (errno == ENOENT || errno == ENOTDIR) return Kind::kNone;
  return fail_errno("cannot look at", path, errno);
}

// Returns `folder` and all folders in it, each before those in it; calls `visit(path)` for what is no folder.
template <class Visit>
Result<std::vector<std::string>> folders_in(const std::string& folder, const char* what, const Visit& visit) {
  std::vector<std::string> folders = {folder};
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string within = folders[i];  // a copy: the list grows
    const std::string parent = within + "/";
    NEARDUP_TRY(each_name(within, what, [&](const std::string& name) -> Status {
      NEARDUP_ASSIGN(const Kind kind, kind_of(parent + name));
      if (kind == Kind::kOther) return visit(parent + name);
      if (kind == Kind::kFolder) folders.push_back(parent + name);
      return {};
    }));
  }
  return folders;
}

Status removed(int result, const std::string& path) {
  if (result == 0 || errno == ENOENT) return {};
  return fail_errno("cannot remove", path, errno);
}

Status unlink_path(const std::string& path) { return removed(file_system().unlink(path.c_str()), path); }

}  // namespace

std::string parent_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The iterators of the standard library end the program where memory is refused.
int read_names(const std::string& folder, std::vector<std::string>& names) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
  if (listing == nullptr) return errno;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(listing.get());
    if (entry == nullptr) return errno;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

Result<std::vector<std::string>> list_folder(const std::string& folder) {
  std::vector<std::string> names;
  NEARDUP_TRY(each_name(folder, "cannot list folder", [&](const std::string& name) -> Status {
    names.push_back(name);
    return {};
  }));
  std::sort(names.begin(), names.end());
  return names;
}

Status create_directories(const std::string& path) { return make_folders(path, false); }

Status create_directories_durably(const std::string& path) { return make_folders(path, true); }

Status remove_all(const std::string& path) {
  NEARDUP_ASSIGN(const Kind kind, kind_of(path));
  if (kind == Kind::kNone) return {};
  if (kind == Kind::kOther) return unlink_path(path);
  NEARDUP_ASSIGN(const auto folders, folders_in(path, "cannot remove", unlink_path));
  for (size_t i = folders.size(); i-- > 0;) NEARDUP_TRY(removed(file_system().rmdir(folders[i].c_str()), folders[i]));
  return {};
}

void remove_all_quietly(const std::string& path) noexcept {
  try {
    static_cast<void>(remove_all(path));
  } catch (const std::exception&) {  // of the standard library: no memory
  }
}

void remove_empty_folder(const std::string& path) { file_system().rmdir(path.c_str()); }

Status link_or_copy(const std::string& from, const std::string& to) {
  if (file_system().link(from.c_str(), to.c_str()) == 0) return {};
  const int error = errno;
  if (error == ENOENT || error == EEXIST || error == ENOSPC || error == EIO)
    return fail_errno("cannot link", to, error);
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(from));
  NEARDUP_ASSIGN(AtomicFile copy, AtomicFile::create(to));
  std::string bytes(size_t{1} << 20, '\0');
  for (uint64_t at = 0; at < file.size_bytes();) {
    NEARDUP_ASSIGN(const size_t size, file.read_at(at, bytes));
    if (size == 0) break;
    NEARDUP_TRY(copy.write(std::string_view(bytes).substr(0, size)));
    at += size;
  }
  return copy.commit();
}

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
  const auto pass = [](const std::string&) -> Status { return {}; };
  NEARDUP_ASSIGN(const auto folders, folders_in(path, "cannot sync", pass));
  for (const std::string& folder : folders) NEARDUP_TRY(sync_folder(folder));
  return {};
}

}  // namespace neardup
