// A file seen as memory, read only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// Maps a whole file for reading. Its pages belong to the system's page cache, which takes them back when memory is
/// short. The file must not shrink while it is mapped. Threads: share freely.
class MappedFile {
 public:
  MappedFile() = default;
  /// Errors: kNotFound, kIo. An empty file gives an empty view.
  [[nodiscard]] static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(address_), size_bytes_}; }
  /// Views the file as an array of T. Requires: T trivially copyable; a remainder smaller than T is left out.
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    return {static_cast<const T*>(address_), size_bytes_ / sizeof(T)};
  }

 private:
  void* address_ = nullptr;
  size_t size_bytes_ = 0;
};

}  // namespace neardup
