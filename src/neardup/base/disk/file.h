// Files: positioned reads, buffered appends, and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/disk/folders.h"
#include "neardup/base/result.h"

namespace neardup {

/// Identity of a file on disk, to notice that it changed.
struct FileInfo {
  uint64_t size_bytes = 0;
  int64_t modified_ns = 0;
  bool is_directory = false;
  bool is_regular = false;
};
/// Errors: kNotFound, kIo.
[[nodiscard]] Result<FileInfo> file_info(const std::string& path);

/// Returns whether there is anything at `path`; links are followed. Errors: kIo where the system cannot tell.
[[nodiscard]] Result<bool> file_exists(const std::string& path);

/// A file opened for reading at any offset. Threads: all const members may be called from many threads at once.
class ReadFile {
 public:
  /// Errors: kNotFound, kIo.
  [[nodiscard]] static Result<ReadFile> open(const std::string& path);
  /// Takes an open descriptor (such as standard input) without closing it at the end; `path` is for messages.
  [[nodiscard]] static ReadFile from_descriptor(int descriptor, std::string path);
  ReadFile(ReadFile&& other) noexcept;
  ReadFile& operator=(ReadFile&& other) noexcept;
  ~ReadFile();

  /// Reads up to buffer.size() bytes at `offset`; returns how many, less than asked only at the end of the file.
  [[nodiscard]] Result<size_t> read_at(uint64_t offset, std::span<char> buffer) const;
  /// Reads exactly buffer.size() bytes at `offset`. Errors: kCorruption where the file ends before, kIo.
  [[nodiscard]] Status read_exact_at(uint64_t offset, std::span<char> buffer) const;
  /// Reads the next up to buffer.size() bytes of a stream (for pipes); 0 at the end.
  [[nodiscard]] Result<size_t> read_next(std::span<char> buffer);
  [[nodiscard]] uint64_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// For poll(), before read_next() of a stream.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  ReadFile() = default;
  int descriptor_ = -1;
  bool owned_ = false;
  uint64_t size_bytes_ = 0;
  std::string path_;
};

/// Returns the whole file. Errors: kNotFound, kIo, kMemory where it is larger than `limit_bytes`.
[[nodiscard]] Result<std::string> read_file(const std::string& path, uint64_t limit_bytes = uint64_t{1} << 32);

/// A file written from start to end through a buffer. Until commit() nothing is seen at `path`: bytes go to a new file
/// beside it, `path` + ".tmp" + process + "-" + number, which is removed if the object dies uncommitted. No file that
/// is there is touched, and many may write one `path` at once: the last to commit wins. A link is followed. What is
/// there and is no regular file (a device, a pipe) is written to as it is. Threads: one at a time.
class AtomicFile {
 public:
  /// Errors: kIo, also where `path` is a folder.
  [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  /// Errors: kDiskFull, kIo.
  [[nodiscard]] Status write(std::string_view bytes);
  /// Flushes, fsyncs, renames to `path`, fsyncs the folder. The object is done afterwards.
  [[nodiscard]] Status commit();
  [[nodiscard]] uint64_t size_bytes() const { return size_bytes_; }

 private:
  AtomicFile() = default;
  Status flush();
  int descriptor_ = -1;
  bool in_place_ = false;
  uint64_t size_bytes_ = 0;
  uint64_t started_bytes_ = 0;  // the system was told to write up to here
  std::string path_;
  std::string temporary_path_;
  std::string buffer_;
};

/// A file that grows by appends and survives a restart at a known length. Threads: one at a time.
class AppendFile {
 public:
  /// Opens or creates `path` and truncates it to `keep_bytes`. Errors: kCorruption where it is shorter, kIo, kDiskFull.
  [[nodiscard]] static Result<AppendFile> open(const std::string& path, uint64_t keep_bytes);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  [[nodiscard]] Status append(std::string_view bytes);
  /// Writes the buffer to the operating system. After this ReadFile sees all bytes.
  [[nodiscard]] Status flush();
  /// Flushes and fsyncs.
  [[nodiscard]] Status sync();
  /// Bytes appended in all, buffered ones included.
  [[nodiscard]] uint64_t size_bytes() const { return size_bytes_; }

 private:
  AppendFile() = default;
  int descriptor_ = -1;
  uint64_t size_bytes_ = 0;
  std::string path_;
  std::string buffer_;
};

/// Writes `bytes` to `path` through an AtomicFile.
[[nodiscard]] Status write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace neardup
