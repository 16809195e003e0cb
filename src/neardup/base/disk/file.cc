#include "neardup/base/disk/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file_system.h"

namespace neardup {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

// Appends through a buffer: small pieces are gathered, large ones go straight to the file.
Status write_buffered(int descriptor, std::string& buffer, std::string_view bytes, const std::string& path) {
  if (buffer.size() + bytes.size() > kBufferBytes) {
    NEARDUP_TRY(write_all(descriptor, buffer, path));
    buffer.clear();
    if (bytes.size() >= kBufferBytes) return write_all(descriptor, bytes, path);
  }
  buffer.append(bytes);
  return {};
}

Status flush_buffer(int descriptor, std::string& buffer, const std::string& path) {
  NEARDUP_TRY(write_all(descriptor, buffer, path));
  buffer.clear();
  return {};
}

// The file that a link leads to; the link itself where it leads nowhere.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  return error ? path : file.string();
}

// Locks a new file for as long as it is open, so that remove_stale_temporaries() leaves it; false where that was
// faster and the file is gone. A file system without locks has no such removal either.
bool holds(int descriptor) {
  struct stat info {};
  return ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::fstat(descriptor, &info) != 0 || info.st_nlink != 0;
}

// Creates a file next to `path` under a name that no file has; returns its descriptor, or -1 with errno. The name is in
// `temporary_path`. Unlike mkstemp it leaves the permissions to the umask and to the folder's access list.
int create_beside(const std::string& path, std::string& temporary_path) {
  static std::atomic<uint64_t> next{0};
  int descriptor = -1;
  do {
    if (descriptor >= 0) file_system().close(descriptor);
    const uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
    temporary_path = fmt::format("{}.tmp{}-{}", path, ::getpid(), number);
    descriptor = file_system().open(temporary_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 ? errno == EEXIST || errno == EINTR : !holds(descriptor));
  return descriptor;
}

}  // namespace

Result<FileInfo> file_info(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno("cannot read", path, errno);
  return FileInfo{.size_bytes = static_cast<uint64_t>(info.st_size),
                  .modified_ns = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec,
                  .is_directory = S_ISDIR(info.st_mode),
                  .is_regular = S_ISREG(info.st_mode)};
}

Result<bool> file_exists(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return fail_errno("cannot look at", path, errno);
}

Result<ReadFile> ReadFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  ReadFile file;
  file.descriptor_ = descriptor;
  file.path_ = path;
  file.owned_ = true;
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return fail_errno("cannot read", path, errno);
  file.size_bytes_ = static_cast<uint64_t>(info.st_size);
  return file;
}

ReadFile ReadFile::from_descriptor(int descriptor, std::string path) {
  ReadFile file;
  file.descriptor_ = descriptor;
  file.path_ = std::move(path);
  struct stat info {};
  if (::fstat(descriptor, &info) == 0) file.size_bytes_ = static_cast<uint64_t>(info.st_size);
  return file;
}

ReadFile::ReadFile(ReadFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      size_bytes_(other.size_bytes_),
      path_(std::move(other.path_)) {}

ReadFile& ReadFile::operator=(ReadFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owned_, other.owned_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(path_, other.path_);
  return *this;
}

ReadFile::~ReadFile() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

Result<size_t> ReadFile::read_at(uint64_t offset, std::span<char> buffer) const {
  size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t got =
        ::pread(descriptor_, buffer.data() + done, buffer.size() - done, static_cast<off_t>(offset + done));
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail_errno("cannot read", path_, errno);
    }
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Status ReadFile::read_exact_at(uint64_t offset, std::span<char> buffer) const {
  NEARDUP_ASSIGN(const size_t got, read_at(offset, buffer));
  if (got == buffer.size()) return {};
  return fail(Code::kCorruption,
              fmt::format("'{}' ends at byte {}, but {} bytes were expected at offset {}; it was cut off", path_,
                          offset + got, buffer.size(), offset));
}

Result<size_t> ReadFile::read_next(std::span<char> buffer) {
  while (true) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return fail_errno("cannot read", path_, errno);
  }
}

Result<std::string> read_file(const std::string& path, uint64_t limit_bytes) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  if (file.size_bytes() > limit_bytes)
    return fail(Code::kMemory, fmt::format("'{}' has {} bytes, more than the {} that may be read at once", path,
                                           file.size_bytes(), limit_bytes));
  std::string bytes(file.size_bytes(), '\0');
  NEARDUP_ASSIGN(const size_t got, file.read_at(0, bytes));
  bytes.resize(got);
  return bytes;
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  AtomicFile file;
  file.path_ = behind_links(path);
  const auto there = file_info(file.path_);
  if (there && there->is_directory) return fail_errno("cannot write", path, EISDIR);
  file.in_place_ = there && !there->is_regular;
  if (file.in_place_) {
    file.temporary_path_ = file.path_;
    file.descriptor_ = open_descriptor(file.path_, O_WRONLY);
  } else {
    file.descriptor_ = create_beside(file.path_, file.temporary_path_);
  }
  if (file.descriptor_ < 0) return fail_errno("cannot create", path, errno);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      in_place_(other.in_place_),
      size_bytes_(other.size_bytes_),
      started_bytes_(other.started_bytes_),
      path_(std::move(other.path_)),
      temporary_path_(std::move(other.temporary_path_)),
      buffer_(std::move(other.buffer_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(in_place_, other.in_place_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(started_bytes_, other.started_bytes_);
  std::swap(path_, other.path_);
  std::swap(temporary_path_, other.temporary_path_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  file_system().close(descriptor_);
  if (!in_place_) file_system().unlink(temporary_path_.c_str());
}

Status AtomicFile::write(std::string_view bytes) {
  size_bytes_ += bytes.size();
  NEARDUP_TRY(write_buffered(descriptor_, buffer_, bytes, path_));
  // The disk begins while the rest is still being made, so that the fsync of commit() has less to wait for.
  constexpr uint64_t kStartBytes = uint64_t{8} << 20;
  if (size_bytes_ - started_bytes_ >= kStartBytes) {
    ::sync_file_range(descriptor_, static_cast<off_t>(started_bytes_), static_cast<off_t>(size_bytes_ - started_bytes_),
                      SYNC_FILE_RANGE_WRITE);
    started_bytes_ = size_bytes_;
  }
  return {};
}

Status AtomicFile::flush() { return flush_buffer(descriptor_, buffer_, path_); }

Status AtomicFile::commit() {
  NEARDUP_TRY(flush());
  if (in_place_) return close_descriptor(descriptor_, path_);
  NEARDUP_TRY(sync_descriptor(descriptor_, path_));
  if (file_system().rename(temporary_path_.c_str(), path_.c_str()) != 0)
    return fail_errno("cannot rename to", path_, errno);
  NEARDUP_TRY(close_descriptor(descriptor_, path_));
  return sync_folder(parent_folder(path_));
}

Result<AppendFile> AppendFile::open(const std::string& path, uint64_t keep_bytes) {
  AppendFile file;
  file.path_ = path;
  file.descriptor_ = open_descriptor(path, O_WRONLY | O_CREAT);
  if (file.descriptor_ < 0) return fail_errno("cannot create", path, errno);
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (info.size_bytes < keep_bytes)
    return fail(Code::kCorruption, fmt::format("'{}' has {} bytes where {} were written before; it was cut off", path,
                                               info.size_bytes, keep_bytes));
  NEARDUP_TRY(truncate_descriptor(file.descriptor_, keep_bytes, path));
  if (::lseek(file.descriptor_, 0, SEEK_END) < 0) return fail_errno("cannot seek in", path, errno);
  file.size_bytes_ = keep_bytes;
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_),
      path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(path_, other.path_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) file_system().close(descriptor_);
}

Status AppendFile::append(std::string_view bytes) {
  size_bytes_ += bytes.size();
  return write_buffered(descriptor_, buffer_, bytes, path_);
}

Status AppendFile::flush() { return flush_buffer(descriptor_, buffer_, path_); }

Status AppendFile::sync() {
  NEARDUP_TRY(flush());
  return sync_descriptor(descriptor_, path_);
}

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(bytes));
  return file.commit();
}

}  // namespace neardup
