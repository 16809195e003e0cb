#include "neardup/base/disk/descriptor.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "neardup/base/disk/file_system.h"

namespace neardup {
namespace {

// Again as long as a signal comes between.
template <class Call>
auto uncut(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

int open_descriptor(const std::string& path, int flags) {
  return uncut([&] { return file_system().open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

Status truncate_descriptor(int descriptor, uint64_t size_bytes, const std::string& path) {
  if (uncut([&] { return file_system().ftruncate(descriptor, static_cast<off_t>(size_bytes)); }) == 0) return {};
  return fail_errno("cannot truncate", path, errno);
}

Status sync_descriptor(int descriptor, const std::string& path) {
  if (uncut([&] { return file_system().fsync(descriptor); }) == 0 || errno == EINVAL || errno == EROFS) return {};
  return fail_errno("cannot sync", path, errno);
}

// A close that a signal cuts has closed (Linux): another one might close the file of another thread.
Status close_descriptor(int& descriptor, const std::string& path) {
  if (file_system().close(std::exchange(descriptor, -1)) == 0 || errno == EINTR) return {};
  return fail_errno("cannot close", path, errno);
}

Status write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = uncut([&] { return file_system().write(descriptor, bytes.data(), bytes.size()); });
    if (written < 0) return fail_errno("cannot write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace neardup
