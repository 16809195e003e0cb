// Preloaded into the program: sends it a signal once it has changed files n times. It is met at the same place on any
// machine, however fast it is and whatever else it does.
//
//   SIGNAL_NUMBER  which signal
//   SIGNAL_N       after which change, from 1
//   SIGNAL_UNDER   only changes of this path and of those in it; what is renamed counts where it comes to
//   SIGNAL_COUNT   a file; how many changes there were is written to it when the program ends by itself
#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>

#include "tests/crash/shim.h"

namespace {

using neardup::shim::number;
using neardup::shim::path_of;

struct Plan {
  int signal = number("SIGNAL_NUMBER", 0);
  long n = number("SIGNAL_N", 0);
  const char* under = std::getenv("SIGNAL_UNDER");
  const char* count = std::getenv("SIGNAL_COUNT");
};

const Plan plan;
std::atomic<long> num_changes = 0;

struct Told {
  ~Told() {
    if (plan.count == nullptr) return;
    char text[24];
    const int size = std::snprintf(text, sizeof text, "%ld\n", num_changes.load());
    const long file = syscall(SYS_openat, AT_FDCWD, plan.count, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, text, size);
    syscall(SYS_close, file);
  }
} told;

bool counts(const char* path) {
  if (plan.under == nullptr) return false;
  const size_t size = std::strlen(plan.under);
  return std::strncmp(path, plan.under, size) == 0 && (path[size] == '\0' || path[size] == '/');
}

/// Counts a change that has happened, and keeps errno.
void changed(const char* path) {
  if (!counts(path) || ++num_changes != plan.n) return;
  const int error = errno;
  syscall(SYS_kill, getpid(), plan.signal);
  errno = error;
}

void changed(int descriptor) {
  char path[PATH_MAX];
  if (path_of(descriptor, path, sizeof path)) changed(path);
}

template <class Result = int, class Place>
Result done(long result, Place place) {
  if (result >= 0) changed(place);
  return static_cast<Result>(result);
}

int open_file(const char* path, int flags, mode_t mode) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  return (flags & (O_CREAT | O_TRUNC)) != 0 ? done(file, path) : static_cast<int>(file);
}

}  // namespace

#define NEARDUP_SIGNAL_OPEN(name)                    \
  int name(const char* path, int flags, ...) {       \
    mode_t mode = 0;                                 \
    if ((flags & O_CREAT) != 0) {                    \
      va_list list;                                  \
      va_start(list, flags);                         \
      mode = static_cast<mode_t>(va_arg(list, int)); \
      va_end(list);                                  \
    }                                                \
    return open_file(path, flags, mode);             \
  }

// All that the program does to files; see FileSystem.
extern "C" {

NEARDUP_SIGNAL_OPEN(open)
NEARDUP_SIGNAL_OPEN(open64)
ssize_t write(int descriptor, const void* bytes, size_t size) {
  return done<ssize_t>(syscall(SYS_write, descriptor, bytes, size), descriptor);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return done<ssize_t>(syscall(SYS_pwrite64, descriptor, bytes, size, offset), descriptor);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  return done<ssize_t>(syscall(SYS_pwrite64, descriptor, bytes, size, offset), descriptor);
}
int ftruncate(int descriptor, off_t size) { return done(syscall(SYS_ftruncate, descriptor, size), descriptor); }
int ftruncate64(int descriptor, off64_t size) { return done(syscall(SYS_ftruncate, descriptor, size), descriptor); }
int link(const char* from, const char* to) { return done(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), to); }
int rename(const char* from, const char* to) {
  return done(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), to);
}
int unlink(const char* path) { return done(syscall(SYS_unlinkat, AT_FDCWD, path, 0), path); }
int rmdir(const char* path) { return done(syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR), path); }
int mkdir(const char* path, mode_t mode) { return done(syscall(SYS_mkdirat, AT_FDCWD, path, mode), path); }
}
