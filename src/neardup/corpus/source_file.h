// An input opened for reading, with the system's own error numbers: a file that may not be read is rejected and the run
// goes on; a file that is gone, a disk that fails, or a system out of handles, stops it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "neardup/base/base.h"

namespace neardup::corpus {

class SourceFile {
 public:
  SourceFile() = default;
  SourceFile(SourceFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  SourceFile& operator=(SourceFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~SourceFile();

  /// Returns 0 or an errno value.
  [[nodiscard]] int open(const std::string& path);
  /// Reads `size` bytes at `offset` to `out`, fewer at the end of the file; `got` tells how many. Returns 0 or an
  /// errno.
  [[nodiscard]] int read_at(uint64_t offset, char* out, size_t size, size_t& got) const;

 private:
  int descriptor_ = -1;
};

/// Returns whether the failure `errno_value` is of one file or folder (no permission, a circle of links) and not of the
/// system, the disk or the network, where what is read next would fail as well.
[[nodiscard]] bool concerns_one_file(int errno_value);

/// Returns success where the failure `errno_value` on the input `path` concerns this file alone (it is to be rejected
/// as unreadable), else the Error that stops the run.
[[nodiscard]] Status check_failure(const std::string& path, int errno_value);

}  // namespace neardup::corpus
