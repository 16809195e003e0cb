#include "neardup/hamming/directory_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace neardup::hamming {

Result<DirectoryLock> DirectoryLock::take(const std::string& path) {
  DirectoryLock lock;
  lock.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock.descriptor_ < 0) return fail_errno("cannot open", path, errno);
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return fail_errno("cannot lock", path, errno);
  return fail(Code::kIo,
              fmt::format("'{}' is locked: another process is changing this index; wait for it to end", path));
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace neardup::hamming
