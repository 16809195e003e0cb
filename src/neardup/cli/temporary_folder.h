// A folder for work files that lives as long as an object.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup::cli {

/// An empty folder in the system's place for temporary files (TMPDIR), removed with all it holds at the end.
class TemporaryFolder {
 public:
  /// Errors: kIo, kDiskFull.
  [[nodiscard]] static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryFolder() = default;
  std::string path_;
};

}  // namespace neardup::cli
