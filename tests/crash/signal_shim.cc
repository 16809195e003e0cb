// Preloaded into the program, and not into what it starts: sends it a signal once it has changed files n times. It is
// met at the same place, however fast the machine is and whatever else it does. Half of a piece that is written counts,
// too, as a kill may come within it.
//
//   SIGNAL_NUMBER  which signal
//   SIGNAL_N       after which change, from 1; to open a file with O_CREAT or O_TRUNC is one, even if it is there
//   SIGNAL_UNDER   only changes of this path, without links, and of those in it; what is renamed counts by its new name
//   SIGNAL_COUNT   a file; how many changes there were is written to it when the program ends by itself
#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <climits>
#include <cstdio>

#include "tests/crash/shim.h"

namespace {

using neardup::shim::number;
using neardup::shim::open_to_write;
using neardup::shim::path_of;

struct Plan {
  Plan() { unsetenv("LD_PRELOAD"); }
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
    const long file = open_to_write(plan.count, O_TRUNC);
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

bool counts(int descriptor) {
  char path[PATH_MAX];
  return path_of(descriptor, path, sizeof path) && counts(path);
}

template <class Result = int, class Place>
Result done(long result, Place place) {
  if (result >= 0 && counts(place) && ++num_changes == plan.n) syscall(SYS_kill, getpid(), plan.signal);
  return static_cast<Result>(result);
}

int open_file(const char* path, int flags, mode_t mode) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  return (flags & (O_CREAT | O_TRUNC)) != 0 ? done(file, path) : static_cast<int>(file);
}

// `write` writes so many bytes from there on.
template <class Write>
ssize_t write_in_halves(int descriptor, size_t size, const Write& write) {
  const size_t half = counts(descriptor) ? size / 2 : 0;
  const ssize_t first = half == 0 ? 0 : done<ssize_t>(write(0, half), descriptor);
  if (first < static_cast<ssize_t>(half)) return first;
  const ssize_t second = done<ssize_t>(write(half, size - half), descriptor);
  return second >= 0 ? first + second : half == 0 ? second : first;
}

ssize_t pwrite_file(int descriptor, const void* bytes, size_t size, off_t offset) {
  return write_in_halves(descriptor, size, [&](size_t from, size_t count) {
    return syscall(SYS_pwrite64, descriptor, static_cast<const char*>(bytes) + from, count,
                   offset + static_cast<off_t>(from));
  });
}

}  // namespace

// All that the program does to files; see FileSystem.
extern "C" {

int open(const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return open_file(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return open_file(path, flags, mode);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
  return write_in_halves(descriptor, size, [&](size_t from, size_t count) {
    return syscall(SYS_write, descriptor, static_cast<const char*>(bytes) + from, count);
  });
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return pwrite_file(descriptor, bytes, size, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  return pwrite_file(descriptor, bytes, size, offset);
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
