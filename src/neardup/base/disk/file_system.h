// The one door through which this library changes what is on a disk: tests put another file system in its place.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace neardup {

/// A disk, and the bytes of it that this process may still fill.
struct DiskSpace {
  uint64_t device = 0;
  uint64_t free_bytes = 0;
};

/// The calls of the system that create, write, rename, remove and sync. Each behaves as the POSIX call of its name: -1
/// and errno where it fails, short writes included. This class is the real one; a test's derives from it and lets
/// single calls fail, or notes what a loss of power would take (docs/design/file_seam.md). Reading is not in it, but
/// how much of a disk is free is. Cost: one virtual call beside a call of the system. Threads: all members may be
/// called from many at once.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// For descriptors that are written, locked or synced, folders among them.
  [[nodiscard]] virtual int open(const char* path, int flags, mode_t mode);
  virtual int close(int descriptor);
  [[nodiscard]] virtual ssize_t write(int descriptor, const void* bytes, size_t size);
  [[nodiscard]] virtual ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset);
  [[nodiscard]] virtual int ftruncate(int descriptor, off_t size);
  [[nodiscard]] virtual int fsync(int descriptor);
  [[nodiscard]] virtual int fdatasync(int descriptor);
  [[nodiscard]] virtual int syncfs(int descriptor);
  [[nodiscard]] virtual int rename(const char* from, const char* to);
  [[nodiscard]] virtual int link(const char* from, const char* to);
  virtual int unlink(const char* path);
  virtual int rmdir(const char* path);
  [[nodiscard]] virtual int mkdir(const char* path, mode_t mode);
  /// Returns the disk of what is at `path`; none where the system does not say.
  [[nodiscard]] virtual std::optional<DiskSpace> space(const char* path);
};

/// Returns the file system of this process: the real one, unless a test has put another in its place.
[[nodiscard]] FileSystem& file_system();

/// Puts `other` in the place of the process's file system while it lives. For tests. Threads: made and destroyed while
/// nothing else of this library runs; threads started in between see `other`.
class ReplacedFileSystem {
 public:
  explicit ReplacedFileSystem(FileSystem& other);
  ~ReplacedFileSystem();
  ReplacedFileSystem(const ReplacedFileSystem&) = delete;
  ReplacedFileSystem& operator=(const ReplacedFileSystem&) = delete;

 private:
  FileSystem* before_;
};

}  // namespace neardup
