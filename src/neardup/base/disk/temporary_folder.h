// A folder for work files that lives as long as an object.
#pragma once

#include <string>
#include <utility>

#include "neardup/base/result.h"

namespace neardup {

/// An empty folder under a name that nothing had, removed with all it holds at the end. Two that are made with one
/// prefix at the same time, by any processes, are two folders.
class TemporaryFolder {
 public:
  /// Makes the folder `prefix` + six letters or digits; only its owner may look into it. Errors: kIo, kDiskFull.
  [[nodiscard]] static Result<TemporaryFolder> create(std::string prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace neardup
