// Keys on disk, spread over files by their hashes, each file in the order of their lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/lines/line_key.h"

namespace neardup::lines {

/// A key of a part file, and the position of its line. The bytes belong to the reader.
struct PartRecord {
  uint64_t position = 0;
  std::string_view key;
};

/// Records one behind the other: the difference to the position before and the size of the key as variable-length
/// numbers, and the key. Threads: one at a time.
class PartFile {
 public:
  /// Nothing is on disk before there are more than buffer_bytes. The file is open only while it is written to: threads
  /// have many of these at once.
  PartFile(std::string path, size_t buffer_bytes) : path_(std::move(path)), buffer_bytes_(buffer_bytes) {}

  /// Positions ascend. Errors: kDiskFull, kIo.
  [[nodiscard]] Status add(uint64_t position, std::string_view key);
  /// All is in the file from now on. Errors: as add().
  [[nodiscard]] Status finish();
  [[nodiscard]] bool empty() const { return num_keys_ == 0; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] uint64_t num_keys() const { return num_keys_; }

 private:
  Status flush();

  std::string path_;
  size_t buffer_bytes_;
  std::string buffer_;
  uint64_t size_bytes_ = 0;  // of the file
  uint64_t last_ = 0;
  uint64_t num_keys_ = 0;
};

/// kNumParts part files below a folder.
class PartFiles {
 public:
  /// `prefix`: of the paths of the files.
  PartFiles(const std::string& prefix, size_t buffer_bytes);
  [[nodiscard]] PartFile& operator[](size_t part) { return files_[part]; }
  [[nodiscard]] const PartFile& operator[](size_t part) const { return files_[part]; }

 private:
  std::vector<PartFile> files_;
};

/// Threads: one at a time.
class PartReader {
 public:
  /// Errors: kIo, kNotFound.
  [[nodiscard]] static Result<PartReader> open(const std::string& path, size_t buffer_bytes);
  /// Replaces `records` by the next ones, about a buffer of them; false at the end. They are good until the next call.
  /// Errors: kIo; kCorruption where the file is not what was written.
  [[nodiscard]] Result<bool> next(std::vector<PartRecord>& records);

 private:
  PartReader(ReadFile file, size_t buffer_bytes) : file_(std::move(file)), buffer_bytes_(buffer_bytes) {}
  Result<bool> fill();
  bool take(PartRecord& record);

  ReadFile file_;
  size_t buffer_bytes_;
  std::string buffer_;
  std::string_view rest_;  // of the buffer
  uint64_t offset_ = 0;    // in the file, behind the buffer
  uint64_t last_ = 0;
};

}  // namespace neardup::lines
