// A file of somebody else, seen as memory: it may be cut at any time, and that must not end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// From now on a SharedFile that is cut, or that cannot be read, shows zeros instead of ending the process: takes the
/// signal SIGBUS, and leaves those of other memory to whoever had it before. For programs: a library that takes signals
/// takes them from its host.
void survive_cut_files();

/// The first bytes of a file. They may change at any time while others write to it: what is read twice need not be the
/// same. Threads: share freely.
class SharedFile {
 public:
  /// Maps `size_bytes` > 0 of the file. Null where that cannot be done safely: not before survive_cut_files(), where
  /// the file has become shorter, by a system that maps no such file, or where kMost are mapped already.
  [[nodiscard]] static std::unique_ptr<SharedFile> open(const std::string& path, uint64_t size_bytes);
  static constexpr size_t kMost = 64;  // at a time
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  [[nodiscard]] std::string_view bytes() const { return {address_, size_bytes_}; }
  /// Has the system bring these bytes into memory, where it can: whoever reads them then waits for nothing.
  void fetch(uint64_t offset, uint64_t size_bytes) const;
  /// Whether zeros were shown; what was read before may be good.
  [[nodiscard]] bool is_cut() const;

 private:
  SharedFile(const char* address, size_t size_bytes, size_t place)
      : address_(address), size_bytes_(size_bytes), place_(place) {}

  const char* address_;
  size_t size_bytes_;
  size_t place_;  // among those that are mapped
};

}  // namespace neardup
