// The lock of a folder: two processes never write to one at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// Holds a lock file while it lives. The system frees it at any death of the process.
class FolderLock {
 public:
  /// Locks `path`, which is created if it is not there. `shared`: several holders may share it, but not with an
  /// exclusive one. The holder may remove the file: who waited for it then locks the next one of that name.
  /// Errors: kIo where somebody else (also this process) holds it, names the file and the cure; with `wait` it waits
  /// for its turn instead, kCancelled where a signal ends that. kNotFound where the folder is not there.
  /// `held`: what to say of who holds it.
  [[nodiscard]] static Result<FolderLock> acquire(
      const std::string& path, bool shared, bool wait = false,
      std::string_view held = "another process is writing to this folder; wait for it or choose another folder");
  /// As acquire() without waiting, but nothing where somebody else holds it.
  [[nodiscard]] static Result<std::optional<FolderLock>> try_acquire(const std::string& path, bool shared);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  [[nodiscard]] static Result<std::optional<FolderLock>> lock(const std::string& path, int how);
  [[nodiscard]] bool is_of(const std::string& path) const;
  int descriptor_ = -1;
};

}  // namespace neardup
