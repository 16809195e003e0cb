#include "neardup/base/result.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace neardup {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kNotFound:
      return "not_found";
    case Code::kIo:
      return "io";
    case Code::kDiskFull:
      return "disk_full";
    case Code::kCorruption:
      return "corruption";
    case Code::kMismatch:
      return "mismatch";
    case Code::kMemory:
      return "memory";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

tl::unexpected<Error> fail_errno(std::string_view what, std::string_view path, int errno_value) {
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
    case EIO:
      return fail(Code::kIo, fmt::format("{} '{}': {}; the disk or the way to it fails: the system's log (dmesg) says "
                                         "more; run again when it is mended",
                                         what, path, reason));
    default:
      return fail(Code::kIo, fmt::format("{} '{}': {}", what, path, reason));
  }
}

}  // namespace neardup
