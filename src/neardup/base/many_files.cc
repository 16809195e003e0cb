#include "neardup/base/many_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "neardup/base/file.h"

namespace neardup {

Status write_file_unsynced(const std::string& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail_errno("cannot create", path, errno);
  Status written = write_all(descriptor, bytes, path);
  if (::close(descriptor) != 0 && errno != EINTR && written) return fail_errno("cannot close", path, errno);
  return written;
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
