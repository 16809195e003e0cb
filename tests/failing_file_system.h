// A file system whose n-th call fails, as a full or a broken disk would let it.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "neardup/base/disk/file_system.h"

namespace neardup {

/// Which calls fail, counted from 1, and how. Reading never does (tests/crash does that from outside).
struct Fault {
  uint64_t n = 0;  // none
  int error = EIO;
  bool lasts = false;  // so do all calls after it
  bool cuts = false;   // no call fails, but each write takes one byte or half, and every other call is cut by a signal
  bool syncs = false;  // waits for the disk; tests that do not look behind the system need not
};

/// Threads: as FileSystem; which call is the n-th is chance where several threads write.
class FailingFileSystem : public FileSystem {
 public:
  explicit FailingFileSystem(const Fault& fault) : fault_(fault) {}
  /// Whether a call failed. Where none did there is no n-th call.
  [[nodiscard]] bool failed() const { return failed_; }

  [[nodiscard]] int open(const char* path, int flags, mode_t mode) override {
    if (fails()) return -1;
    return FileSystem::open(path, flags, mode);
  }
  int close(int descriptor) override {  // closes also where it fails, as Linux does
    const int closed = FileSystem::close(descriptor);
    return call_fails() ? -1 : closed;
  }
  [[nodiscard]] ssize_t write(int descriptor, const void* bytes, size_t size) override {
    if (fails()) return -1;
    return FileSystem::write(descriptor, bytes, fault_.cuts ? (size + 1) / 2 : size);
  }
  [[nodiscard]] ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) override {
    if (fails()) return -1;
    return FileSystem::pwrite(descriptor, bytes, fault_.cuts ? (size + 1) / 2 : size, offset);
  }
  [[nodiscard]] int ftruncate(int descriptor, off_t size) override {
    return fails() ? -1 : FileSystem::ftruncate(descriptor, size);
  }
  [[nodiscard]] int fsync(int descriptor) override {
    if (fails()) return -1;
    return fault_.syncs ? FileSystem::fsync(descriptor) : 0;
  }
  [[nodiscard]] int fdatasync(int descriptor) override {
    if (fails()) return -1;
    return fault_.syncs ? FileSystem::fdatasync(descriptor) : 0;
  }
  [[nodiscard]] int syncfs(int descriptor) override {
    if (call_fails()) return -1;
    return fault_.syncs ? FileSystem::syncfs(descriptor) : 0;
  }
  [[nodiscard]] int rename(const char* from, const char* to) override {
    return call_fails() ? -1 : FileSystem::rename(from, to);
  }
  [[nodiscard]] int link(const char* from, const char* to) override {
    return call_fails() ? -1 : FileSystem::link(from, to);
  }
  int unlink(const char* path) override { return call_fails() ? -1 : FileSystem::unlink(path); }
  int rmdir(const char* path) override { return call_fails() ? -1 : FileSystem::rmdir(path); }
  [[nodiscard]] int mkdir(const char* path, mode_t mode) override {
    return call_fails() ? -1 : FileSystem::mkdir(path, mode);
  }

 private:
  // Counts a call that a signal may cut.
  bool fails() {
    if (fault_.cuts) {
      errno = EINTR;
      return ++calls_ % 2 == 1;
    }
    return call_fails();
  }
  // Counts a call.
  bool call_fails() {
    if (fault_.cuts || fault_.n == 0) return false;
    const uint64_t call = ++calls_;
    if (call != fault_.n && !(fault_.lasts && call > fault_.n)) return false;
    failed_ = true;
    errno = fault_.error;
    return true;
  }

  Fault fault_;
  std::atomic<uint64_t> calls_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace neardup
