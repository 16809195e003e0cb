#include "neardup/server/secret_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/shell_word.h"

namespace neardup::server {
namespace {

// A file of root that a group may read is how systems hand keys to services (ssl-cert, secrets of Kubernetes).
mode_t modes_of_others(const struct stat& file) {
  const bool is_handed_out = file.st_uid == 0 && geteuid() != 0;
  return S_IRWXO | (is_handed_out ? S_IWGRP | S_IXGRP : S_IRWXG);
}

}  // namespace

Result<std::string> read_secret_file(const std::string& path) {
  struct stat file {};
  const bool is_there = ::stat(path.c_str(), &file) == 0;
  if (is_there && S_ISREG(file.st_mode) && (file.st_mode & modes_of_others(file)) != 0) {
    constexpr mode_t kModes = 0777;
    return fail(
        Code::kInvalidArgument,
        fmt::format("'{}' holds keys, and other users may read or change it (mode {:04o}); make it yours alone: "
                    "chmod 600 {}",
                    path, file.st_mode & kModes, shell_word(path)));
  }
  return read_file(path, uint64_t{1} << 20);
}

}  // namespace neardup::server
