// A closed log as the place of the records in it: bodies are written once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/result.h"

namespace neardup::store {

/// Where the records of documents first, first + 1, ... stand in a log. Memory: 8 bytes for each document. Threads:
/// any number of readers.
class RecordFile {
 public:
  /// `offsets` are those of LoggedRecord::offset, less how the caller marks a record, 0 where a number has none.
  /// Errors: kNotFound, kIo.
  [[nodiscard]] static Result<std::shared_ptr<const RecordFile>> open(const std::string& folder, uint64_t log,
                                                                      uint64_t first, std::vector<uint64_t> offsets);

  [[nodiscard]] uint64_t log() const { return log_; }
  [[nodiscard]] uint64_t first() const { return first_; }
  [[nodiscard]] uint64_t end() const { return first_ + offsets_.size(); }
  [[nodiscard]] const std::vector<uint64_t>& offsets() const { return offsets_; }
  /// Fills `bytes` with the record of `number`, as it was logged. Errors: kIo; kCorruption where there is none, or the
  /// file is not what it was.
  [[nodiscard]] Status read(uint64_t number, std::string& bytes) const;

 private:
  RecordFile(ReadFile file, uint64_t log, uint64_t first, std::vector<uint64_t> offsets)
      : file_(std::move(file)), log_(log), first_(first), offsets_(std::move(offsets)) {}

  ReadFile file_;
  uint64_t log_;
  uint64_t first_;
  std::vector<uint64_t> offsets_;
};

/// Writes where its records stand to a file, and returns the checksum. Errors: kIo, kDiskFull.
[[nodiscard]] Result<uint64_t> write_places(const std::string& path, const RecordFile& file);

struct Places {
  uint64_t log = 0;
  uint64_t first = 0;
  std::vector<uint64_t> offsets;
  uint64_t checksum = 0;
};
/// Reads and validates what write_places() wrote. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<Places> parse_places(std::string_view bytes, std::string_view path);

}  // namespace neardup::store
