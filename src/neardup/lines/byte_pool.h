// Memory that many small sets take in pieces, so that the system gives it in huge pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "neardup/base/large_array.h"

namespace neardup::lines {

/// Hands out bytes without values that stay until it dies. Threads: any.
class BytePool {
 public:
  /// `slab_bytes` are taken from the system at once; what is not handed out of the last ones is its loss.
  explicit BytePool(size_t slab_bytes) : slab_bytes_(std::max<size_t>(slab_bytes, 64)) {}

  /// Returns `size` bytes, aligned to 8. Throws std::bad_alloc like new does.
  [[nodiscard]] char* take(size_t size) {
    size = (size + 7) / 8 * 8;
    const std::lock_guard lock(mutex_);
    if (size > left_) {
      if (size > slab_bytes_ / 4) return slabs_.emplace_back(size).data();
      left_ = slab_bytes_;
      next_ = slabs_.emplace_back(left_).data();
    }
    char* const taken = next_;
    next_ += size;
    left_ -= size;
    return taken;
  }

 private:
  size_t slab_bytes_;
  std::mutex mutex_;
  std::vector<LargeArray<char>> slabs_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

/// Of a pool that sets of so many bytes in all take.
[[nodiscard]] inline size_t slab_bytes(uint64_t set_bytes) {
  return static_cast<size_t>(std::min<uint64_t>(set_bytes / 32, uint64_t{1} << 25));
}

}  // namespace neardup::lines
