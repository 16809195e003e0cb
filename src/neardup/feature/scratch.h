// Memory that is reused from document to document and never initialised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace neardup::feature {

/// A buffer that only grows. Threads: one at a time.
template <class T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Returns room for `count` values with unspecified contents. Pointers of earlier calls are no longer valid.
  [[nodiscard]] T* reserve(size_t count) {
    if (count > capacity_) {
      capacity_ = std::max(count, capacity_ + capacity_ / 2);
      memory_ = std::make_unique_for_overwrite<T[]>(capacity_);
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<T[]> memory_;
  size_t capacity_ = 0;
};

}  // namespace neardup::feature
