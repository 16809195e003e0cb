#include "neardup/base/disk/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace neardup {
namespace {

FileSystem& real_file_system() {
  static FileSystem real;
  return real;
}

// Null: the real one, so that nothing depends on the order in which static objects are made.
std::atomic<FileSystem*> replacement{nullptr};

}  // namespace

int FileSystem::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }
int FileSystem::close(int descriptor) { return ::close(descriptor); }
ssize_t FileSystem::write(int descriptor, const void* bytes, size_t size) { return ::write(descriptor, bytes, size); }
ssize_t FileSystem::pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return ::pwrite(descriptor, bytes, size, offset);
}
int FileSystem::ftruncate(int descriptor, off_t size) { return ::ftruncate(descriptor, size); }
int FileSystem::fsync(int descriptor) { return ::fsync(descriptor); }
int FileSystem::fdatasync(int descriptor) { return ::fdatasync(descriptor); }
int FileSystem::syncfs(int descriptor) { return ::syncfs(descriptor); }
int FileSystem::link(const char* from, const char* to) { return ::link(from, to); }
int FileSystem::rename(const char* from, const char* to) { return ::rename(from, to); }
int FileSystem::unlink(const char* path) { return ::unlink(path); }
int FileSystem::rmdir(const char* path) { return ::rmdir(path); }
int FileSystem::mkdir(const char* path, mode_t mode) { return ::mkdir(path, mode); }
std::optional<DiskSpace> FileSystem::space(const char* path) {
  struct stat info {};
  struct statvfs disk {};
  if (::stat(path, &info) != 0 || ::statvfs(path, &disk) != 0) return {};
  return DiskSpace{.device = info.st_dev, .free_bytes = uint64_t{disk.f_bavail} * disk.f_frsize};
}

FileSystem& file_system() {
  FileSystem* const other = replacement.load(std::memory_order_acquire);
  return other != nullptr ? *other : real_file_system();
}

ReplacedFileSystem::ReplacedFileSystem(FileSystem& other) : before_(replacement.exchange(&other)) {}
ReplacedFileSystem::~ReplacedFileSystem() { replacement.store(before_, std::memory_order_release); }

}  // namespace neardup
