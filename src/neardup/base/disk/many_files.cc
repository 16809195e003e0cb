#include "neardup/base/disk/many_files.h"

#include <fcntl.h>

#include <cerrno>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file_system.h"

namespace neardup {

Status write_file_unsynced(const std::string& path, std::string_view bytes) {
  int descriptor = open_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (descriptor < 0) return fail_errno("cannot create", path, errno);
  const Status written = write_all(descriptor, bytes, path);
  const Status closed = close_descriptor(descriptor, path);
  return written ? closed : written;
}

Status sync_file_system(const std::string& path) {
  int descriptor = open_descriptor(path, O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  const int error = file_system().syncfs(descriptor) == 0 ? 0 : errno;
  const Status closed = close_descriptor(descriptor, path);
  if (error != 0) return fail_errno("cannot sync", path, error);
  return closed;
}

}  // namespace neardup
