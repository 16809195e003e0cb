#include "neardup/hamming/directory_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace neardup::hamming {

namespace {

// Who gives a folder up removes the file while holding its lock: a lock on a file without a name keeps nobody out.
bool has_name(int descriptor, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

tl::unexpected<Error> not_taken(const std::string& path, int error) {
  if (error != EWOULDBLOCK) return fail_errno("cannot lock", path, error);
  return fail(Code::kIo,
              fmt::format("'{}' is locked: another process is changing this index; wait for it to end", path));
}

}  // namespace

Result<DirectoryLock> DirectoryLock::take(const std::string& path) {
  DirectoryLock lock;
  do {
    DirectoryLock next;
    next.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (next.descriptor_ < 0) return fail_errno("cannot open", path, errno);
    if (::flock(next.descriptor_, LOCK_EX | LOCK_NB) != 0) return not_taken(path, errno);
    lock = std::move(next);
  } while (!has_name(lock.descriptor_, path));
  return lock;
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace neardup::hamming
