#include "neardup/base/result.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "neardup/base/code_table.h"

namespace neardup {

std::string_view code_name(Code code) { return row_of(code).name; }

void die_of_error(const Error& error) {
  std::fprintf(stderr, "neardup: an error was taken for a value (%s): %s\n", std::string(code_name(error.code)).c_str(),
               error.message.c_str());
  std::abort();
}

namespace {

// A path as it is shown: what may be the password of a URI is left out.
std::string shown(std::string_view path) {
  const size_t scheme = path.find("://"), at = path.rfind('@');
  if (scheme == path.npos || at == path.npos || at < scheme) return std::string(path);
  return fmt::format("{}...{}", path.substr(0, scheme + 3), path.substr(at));
}

}  // namespace

tl::unexpected<Error> fail_errno(std::string_view what, std::string_view named, int errno_value) {
  const std::string path = shown(named);
  const std::string reason = std::generic_category().message(errno_value);
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
      return fail(Code::kNotFound, fmt::format("{} '{}': {}; check the path", what, path, reason));
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return fail(Code::kDiskFull,
                  fmt::format("{} '{}': {}; free some space or choose another folder", what, path, reason));
    case EACCES:
    case EPERM:
      return fail(Code::kIo, fmt::format("{} '{}': {}; check the permissions", what, path, reason));
    case EMFILE:
    case ENFILE:
      return fail(Code::kIo, fmt::format("{} '{}': {}; raise the limit of open files (ulimit -n)", what, path, reason));
    case ENOMEM:
      return fail(Code::kMemory, fmt::format("{} '{}': {}; free some memory, or raise the limit of the system "
                                             "(ulimit -v)",
                                             what, path, reason));
    case EIO:
      return fail(Code::kIo, fmt::format("{} '{}': {}; the disk or the way to it fails: the system's log (dmesg) says "
                                         "more; run again when it is mended",
                                         what, path, reason));
    default:
      return fail(Code::kIo, fmt::format("{} '{}': {}", what, path, reason));
  }
}

}  // namespace neardup
