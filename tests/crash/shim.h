// What the preloaded libraries share, without a piece of memory.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

/// Within open(path, flags, ...): the third argument where there is one, else 0.
#define NEARDUP_OPEN_MODE(mode, flags)             \
  mode_t mode = 0;                                 \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {    \
    va_list list;                                  \
    va_start(list, flags);                         \
    mode = static_cast<mode_t>(va_arg(list, int)); \
    va_end(list);                                  \
  }

namespace neardup::shim {

/// Returns a number of the environment.
inline int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Opens `path` to write it, past what is preloaded, and makes it where it is not there; `how`: O_TRUNC or O_APPEND.
/// Negative where it cannot be opened.
inline long open_to_write(const char* path, int how) {
  return syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_CLOEXEC | how, 0666);
}

/// Writes to `path`, which has room for `size` bytes, where the file of `descriptor` is; false where nothing can be
/// told.
inline bool path_of(int descriptor, char* path, size_t size) {
  char link[32] = "/proc/self/fd/";
  char digits[12];
  int num_digits = 0;
  for (int left = descriptor; left != 0 || num_digits == 0; left /= 10)
    digits[num_digits++] = static_cast<char>('0' + left % 10);
  for (char* out = link + std::strlen(link); num_digits != 0;) *out++ = digits[--num_digits], *out = '\0';
  const long length = syscall(SYS_readlink, link, path, size - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return true;
}

}  // namespace neardup::shim
