// A file system on which files of one kind are slow to appear, or cannot be made.
#pragma once

#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "neardup/base/disk/file_system.h"

namespace neardup {

/// Which files, by a part of their path, and what becomes of them.
struct SlowFiles {
  std::string part;
  std::chrono::milliseconds delay{0};  // before such a file gets its name
  int error = 0;                       // else: it gets none, for ever
};

/// Threads: as FileSystem.
class SlowFileSystem : public FileSystem {
 public:
  explicit SlowFileSystem(SlowFiles files) : files_(std::move(files)) {}

  [[nodiscard]] int rename(const char* from, const char* to) override {
    if (std::string_view(to).find(files_.part) == std::string_view::npos) return FileSystem::rename(from, to);
    std::this_thread::sleep_for(files_.delay);
    if (files_.error == 0) return FileSystem::rename(from, to);
    errno = files_.error;
    return -1;
  }

 private:
  const SlowFiles files_;
};

}  // namespace neardup
