// A file of records that is written, then read, then gone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"

namespace neardup::join {

/// It is removed with the object.
template <class Record>
class ScratchFile {
 public:
  /// Errors: kDiskFull, kIo.
  [[nodiscard]] static Result<ScratchFile> create(std::string path) {
    NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
    return ScratchFile(std::move(path), std::move(file));
  }
  ScratchFile(ScratchFile&& other) noexcept = default;
  ScratchFile& operator=(ScratchFile&& other) = delete;
  ~ScratchFile() {
    reading_.reset();
    writing_.reset();
    if (!path_.empty()) remove_all_quietly(path_);  // nobody is left to tell
  }

  /// Requires: before reader(). Errors: kDiskFull, kIo.
  [[nodiscard]] Status append(std::span<const Record> records) {
    num_records_ += records.size();
    return writing_->append(bytes_of(records));
  }
  [[nodiscard]] uint64_t num_records() const { return num_records_; }

  /// Ends the writing and returns the file for reading. Errors: kDiskFull, kIo.
  [[nodiscard]] Result<std::shared_ptr<const ReadFile>> reader() {
    if (reading_) return reading_;
    NEARDUP_TRY(writing_->flush());
    writing_.reset();
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path_));
    reading_ = std::make_shared<const ReadFile>(std::move(file));
    return reading_;
  }

 private:
  ScratchFile(std::string path, AppendFile file) : path_(std::move(path)), writing_(std::move(file)) {}

  std::string path_;
  std::optional<AppendFile> writing_;
  std::shared_ptr<const ReadFile> reading_;
  uint64_t num_records_ = 0;
};

}  // namespace neardup::join
