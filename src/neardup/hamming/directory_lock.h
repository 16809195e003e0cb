// The lock of an index directory: one writer at a time.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "neardup/base/result.h"

namespace neardup::hamming {

inline constexpr std::string_view kLockName = "LOCK";

/// Held as long as the object lives; the system frees it when the process dies.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  /// Makes the file where it is not there. Does not wait. Errors: kIo that names the cure where another process (or
  /// object) holds it.
  [[nodiscard]] static Result<DirectoryLock> take(const std::string& path);
  DirectoryLock(DirectoryLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  DirectoryLock& operator=(DirectoryLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~DirectoryLock();

 private:
  int descriptor_ = -1;
};

}  // namespace neardup::hamming
