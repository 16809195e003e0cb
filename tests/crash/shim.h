// What the preloaded libraries share: paths of descriptors and numbers of the environment, without a piece of memory.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace neardup::shim {

inline int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Writes to `path`, which has room for `size` bytes, what `descriptor` was opened as; false where nothing can be told.
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
