#include "neardup/engine/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace neardup::engine {

Result<FolderLock> FolderLock::acquire(const std::string& path, bool shared, bool wait) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail_errno("cannot create", path, errno);
  if (::flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | (wait ? 0 : LOCK_NB)) != 0) {
    const int error = errno;
    ::close(descriptor);
    if (error == EINTR) return fail(Code::kCancelled, "stopped on request while waiting for another process");
    if (error != EWOULDBLOCK) return fail_errno("cannot lock", path, error);
    return fail(Code::kIo, fmt::format("'{}' is locked: another process is writing to this folder; wait for it or "
                                       "choose another output folder",
                                       path));
  }
  return FolderLock(descriptor);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace neardup::engine
