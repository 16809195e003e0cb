#include "neardup/base/disk/stale_temporaries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "neardup/base/disk/file_system.h"

namespace neardup {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A process holds the lock as long as it lives. One that has just made its file and not locked it yet loses the file,
// sees that, and makes another.
void remove_unlocked(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) file_system().unlink(path.c_str());
  ::close(descriptor);
}

}  // namespace

bool is_temporary_of(std::string_view name, std::string_view target) {
  constexpr std::string_view kMark = ".tmp";
  if (!name.starts_with(target) || !name.substr(target.size()).starts_with(kMark)) return false;
  name.remove_prefix(target.size() + kMark.size());
  const size_t dash = name.find('-');
  return dash != std::string_view::npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

Status remove_stale_temporaries(const std::string& path) {
  const std::filesystem::path target = path;
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    if (is_temporary_of(name, target.filename().string())) remove_unlocked(folder + "/" + name);
  }
  return {};
}

Result<AtomicFile> create_output(const std::string& path) {
  static_cast<void>(remove_stale_temporaries(path));  // where they cannot go they are no hindrance
  return AtomicFile::create(path);
}

}  // namespace neardup
