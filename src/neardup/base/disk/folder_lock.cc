#include "neardup/base/disk/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file_system.h"

namespace neardup {

// Nothing where somebody else holds it and `how` does not wait.
Result<std::optional<FolderLock>> FolderLock::lock(const std::string& path, int how) {
  while (true) {
    FolderLock lock(open_descriptor(path, O_RDWR | O_CREAT));
    if (lock.descriptor_ < 0) return fail_errno("cannot create", path, errno);
    if (::flock(lock.descriptor_, how) == 0) {
      if (lock.is_of(path)) return lock;
      continue;  // removed by the one who held it before
    }
    const int error = errno;
    if (error == EINTR) return fail(Code::kCancelled, "stopped on request while waiting for another process");
    if (error != EWOULDBLOCK) return fail_errno("cannot lock", path, error);
    return std::nullopt;
  }
}

Result<std::optional<FolderLock>> FolderLock::try_acquire(const std::string& path, bool shared) {
  return lock(path, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

Result<FolderLock> FolderLock::acquire(const std::string& path, bool shared, bool wait, std::string_view held) {
  NEARDUP_ASSIGN(std::optional<FolderLock> lock,
                 FolderLock::lock(path, (shared ? LOCK_SH : LOCK_EX) | (wait ? 0 : LOCK_NB)));
  if (lock) return std::move(*lock);
  return fail(Code::kIo, fmt::format("'{}' is locked: {}", path, held));
}

bool FolderLock::is_of(const std::string& path) const {
  struct stat locked {
  }, named{};
  return ::fstat(descriptor_, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
         locked.st_ino == named.st_ino;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) file_system().close(descriptor_);
}

}  // namespace neardup
