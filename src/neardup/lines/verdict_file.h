// Which lines are written, as lists on disk that are read side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"

namespace neardup::lines {

/// That the line at `position` is written, and how often it comes.
struct VerdictOf {
  uint64_t position = 0;
  uint64_t count = 1;
};

/// Lists of verdicts, one behind the other in one file. Threads: one at a time.
class VerdictFile {
 public:
  /// `counts`: whether counts are kept, else all are 1. Errors: kIo, kDiskFull.
  [[nodiscard]] static Result<VerdictFile> create(const std::string& path, bool counts);

  /// Begins a list.
  void begin_list();
  /// Positions ascend within a list. Errors: kIo, kDiskFull.
  [[nodiscard]] Status add(const VerdictOf& verdict);
  /// All is in the file from now on. Errors: as add().
  [[nodiscard]] Status finish();

  struct List {
    uint64_t begin = 0, end = 0;  // bytes of the file
  };
  [[nodiscard]] const std::vector<List>& lists() const { return lists_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool counts() const { return counts_; }

 private:
  VerdictFile(std::string path, AppendFile file, bool counts)
      : path_(std::move(path)), file_(std::move(file)), counts_(counts) {}

  std::string path_;
  AppendFile file_;
  bool counts_;
  std::string buffer_;
  uint64_t size_bytes_ = 0;
  uint64_t last_ = 0;
  std::vector<List> lists_;
};

/// Reads one list in order. Threads: one at a time.
class VerdictReader {
 public:
  VerdictReader(std::shared_ptr<ReadFile> file, const VerdictFile::List& list, bool counts, size_t buffer_bytes)
      : file_(std::move(file)), at_(list.begin), end_(list.end), counts_(counts), buffer_bytes_(buffer_bytes) {}

  /// Calls use(verdict) for the next ones whose position is below `position`. Errors: kIo, kCorruption.
  template <class Use>
  [[nodiscard]] Status take_below(uint64_t position, Use use) {
    while (true) {
      if (!has_next_) {
        NEARDUP_TRY(read_next());
        if (!has_next_) return {};
      }
      if (next_.position >= position) return {};
      use(next_);
      has_next_ = false;
    }
  }

 private:
  Status read_next();
  Status fill();

  std::shared_ptr<ReadFile> file_;
  uint64_t at_, end_;  // of the file, behind the buffer
  bool counts_;
  size_t buffer_bytes_;
  std::string buffer_;
  std::string_view rest_;
  VerdictOf next_;
  bool has_next_ = false;
};

/// Returns readers of all lists of `files`, which are finished; their buffers take memory_bytes in all, or 64 bytes
/// each. Errors: kIo, kNotFound.
[[nodiscard]] Result<std::vector<VerdictReader>> open_verdicts(std::span<const VerdictFile> files,
                                                               uint64_t memory_bytes);

}  // namespace neardup::lines
