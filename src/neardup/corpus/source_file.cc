#include "neardup/corpus/source_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace neardup::corpus {

SourceFile::~SourceFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int SourceFile::open(const std::string& path) {
  if (descriptor_ >= 0) ::close(descriptor_);
  do {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (descriptor_ < 0 && errno == EINTR);
  return descriptor_ < 0 ? errno : 0;
}

int SourceFile::read_at(uint64_t offset, char* out, size_t size, size_t& got) const {
  got = 0;
  while (got < size) {
    const ssize_t n = ::pread(descriptor_, out + got, size - got, static_cast<off_t>(offset + got));
    if (n == 0) return 0;
    if (n > 0) {
      got += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// What is not named here stops the run: rather that than results that lack documents.
bool concerns_one_file(int errno_value) {
  switch (errno_value) {
    case EACCES:
    case EPERM:
    case ELOOP:
    case EISDIR:
    case ENAMETOOLONG:
    case ENOKEY:
      return true;
    default:
      return false;
  }
}

Status check_failure(const std::string& path, int errno_value) {
  if (concerns_one_file(errno_value)) return {};
  if (errno_value != ENOENT && errno_value != ENOTDIR) return fail_errno("cannot read input", path, errno_value);
  return fail(Code::kNotFound,
              "input '" + path + "' is gone: it was there when the run began; put it back and run again");
}

}  // namespace neardup::corpus
