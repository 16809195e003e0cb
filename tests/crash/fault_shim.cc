// Preloaded into the program: fails the n-th call of one kind, as a failing disk or a full table of handles would.
//
//   FAULT_CALL   read | stat | open | opendir | readdir | alloc
//   FAULT_ERRNO  the number that the call gives back
//   FAULT_N      which call fails, from 1; 0: none
//   FAULT_LASTS  set: so do all later ones
//   FAULT_UNDER  of files: only of paths that begin like this
//   FAULT_BYTES  of alloc: only pieces of so many bytes and more
//   FAULT_MARK   a file that is made when a call fails
//   FAULT_ANEW   a file; SIGUSR1 that comes with a number (sigqueue) begins to
//                count anew, with it in the place of FAULT_N, and the file is
//                a byte longer when that holds
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <climits>

#include "tests/crash/shim.h"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using neardup::shim::number;
using neardup::shim::open_to_write;
using neardup::shim::path_of;

// Allocations come before main and inside getenv's users: all state is plain and set by the first call.
struct Plan {
  const char* call = std::getenv("FAULT_CALL");
  const char* under = std::getenv("FAULT_UNDER");
  const char* mark = std::getenv("FAULT_MARK");
  int error = number("FAULT_ERRNO", EIO);
  bool lasts = std::getenv("FAULT_LASTS") != nullptr;
  size_t bytes = static_cast<size_t>(number("FAULT_BYTES", 0));
};

const Plan& plan() {
  static const Plan plan;
  return plan;
}

std::atomic<long> num_calls = 0, failing_call = 0;
long anew_file = -1;
std::atomic<bool> is_ready = false;  // before main no call counts

void begin_anew(int, siginfo_t* info, void*) {
  failing_call = 0;
  num_calls = 0;
  failing_call = info->si_value.sival_int;
  const int error = errno;
  syscall(SYS_write, anew_file, "+", 1);
  errno = error;
}

[[gnu::constructor]] void get_ready() {
  static_cast<void>(plan());
  failing_call = number("FAULT_N", 0);
  struct sigaction anew {};
  anew.sa_sigaction = begin_anew;
  anew.sa_flags = SA_SIGINFO | SA_RESTART;
  if (const char* path = std::getenv("FAULT_ANEW"); path != nullptr) {
    anew_file = open_to_write(path, O_APPEND);
    sigaction(SIGUSR1, &anew, nullptr);
  }
  is_ready = true;
}

bool is_kind(const char* call) { return is_ready && plan().call != nullptr && std::strcmp(plan().call, call) == 0; }

/// Counts the call; returns whether it is to fail, and sets errno then.
bool fails_now() {
  const long number = ++num_calls, failing = failing_call;
  if (failing == 0 || (number != failing && !(plan().lasts && number > failing))) return false;
  if (plan().mark != nullptr) {
    const long mark = open_to_write(plan().mark, O_APPEND);
    if (mark >= 0) syscall(SYS_close, mark);
  }
  errno = plan().error;
  return true;
}

bool path_fails(const char* call, const char* path) {
  if (!is_kind(call) || path == nullptr) return false;
  if (plan().under != nullptr && std::strncmp(path, plan().under, std::strlen(plan().under)) != 0) return false;
  return fails_now();
}

bool descriptor_fails(const char* call, int descriptor) {
  if (!is_kind(call)) return false;
  char path[PATH_MAX];
  if (!path_of(descriptor, path, sizeof path)) return false;
  return path_fails(call, path);
}

bool alloc_fails(size_t bytes) { return is_kind("alloc") && bytes >= plan().bytes && fails_now(); }

template <class Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int open_real(int folder, const char* path, int flags, mode_t mode) {
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return path_fails("open", path) ? -1 : open_real(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return path_fails("open", path) ? -1 : open_real(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return path_fails("open", path) ? -1 : open_real(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  NEARDUP_OPEN_MODE(mode, flags)
  return path_fails("open", path) ? -1 : open_real(folder, path, flags, mode);
}
ssize_t read(int descriptor, void* out, size_t size) {
  return descriptor_fails("read", descriptor) ? -1 : syscall(SYS_read, descriptor, out, size);
}
ssize_t pread(int descriptor, void* out, size_t size, off_t offset) {
  return descriptor_fails("read", descriptor) ? -1 : syscall(SYS_pread64, descriptor, out, size, offset);
}
ssize_t pread64(int descriptor, void* out, size_t size, off64_t offset) {
  return descriptor_fails("read", descriptor) ? -1 : syscall(SYS_pread64, descriptor, out, size, offset);
}
int stat(const char* path, struct stat* info) {
  return path_fails("stat", path) ? -1 : real(&stat, "stat")(path, info);
}
int lstat(const char* path, struct stat* info) {
  return path_fails("stat", path) ? -1 : real(&lstat, "lstat")(path, info);
}
int fstat(int descriptor, struct stat* info) {
  return descriptor_fails("stat", descriptor) ? -1 : real(&fstat, "fstat")(descriptor, info);
}
DIR* opendir(const char* path) { return path_fails("opendir", path) ? nullptr : real(&opendir, "opendir")(path); }
DIR* fdopendir(int descriptor) {
  return descriptor_fails("opendir", descriptor) ? nullptr : real(&fdopendir, "fdopendir")(descriptor);
}
dirent* readdir(DIR* folder) {
  return descriptor_fails("readdir", dirfd(folder)) ? nullptr : real(&readdir, "readdir")(folder);
}
dirent64* readdir64(DIR* folder) {
  return descriptor_fails("readdir", dirfd(folder)) ? nullptr : real(&readdir64, "readdir64")(folder);
}

void* malloc(size_t size) { return alloc_fails(size) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return alloc_fails(count * size) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return alloc_fails(size) ? nullptr : __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return alloc_fails(size) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (alloc_fails(size)) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
