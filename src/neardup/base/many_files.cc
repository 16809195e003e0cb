#include "neardup/base/many_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace neardup {

Status write_file_unsynced(const std::string& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail_errno("cannot create", path, errno);
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) error = errno;
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (::close(descriptor) != 0 && errno != EINTR && error == 0) error = errno;
  if (error != 0) return fail_errno("cannot write", path, error);
  return {};
}

Status sync_file_system(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  const int error = ::syncfs(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0) return fail_errno("cannot sync", path, error);
  return {};
}

}  // namespace neardup
