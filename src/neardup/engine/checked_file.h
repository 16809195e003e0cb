// A growing file with a running checksum, so that a later run can tell whether what it finds is what was written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/base.h"
#include "neardup/base/bytes.h"

namespace neardup::engine {

/// How far a CheckedFile had grown, and the XXH3-64 of the bytes up to there.
struct FileMark {
  uint64_t size_bytes = 0;
  uint64_t checksum = 0;
  bool operator==(const FileMark&) const = default;
};

/// Threads: one at a time.
class CheckedFile {
 public:
  /// Opens `path` cut back to `mark` and goes on behind it; the default mark begins anew.
  /// Errors: kCorruption where the bytes up to the mark are not those that were written.
  [[nodiscard]] static Result<CheckedFile> open(const std::string& path, const FileMark& mark = {});
  CheckedFile(CheckedFile&&) noexcept;
  CheckedFile& operator=(CheckedFile&&) noexcept;
  ~CheckedFile();

  [[nodiscard]] Status append(std::string_view bytes);
  /// Waits until all bytes are on the disk and returns the mark up to here: a loss of power leaves at least them.
  [[nodiscard]] Result<FileMark> mark();

 private:
  struct Impl;
  explicit CheckedFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns the mark of a whole file that others wrote. Errors: kNotFound, kIo.
[[nodiscard]] Result<FileMark> mark_of_file(const std::string& path);

/// Checks that the first bytes of `path` are those of `mark`. Errors: kCorruption, kNotFound, kIo.
[[nodiscard]] Status check_file(const std::string& path, const FileMark& mark);

}  // namespace neardup::engine
