// A large array without initial values, on huge pages where the system gives them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace neardup::join {

/// `size` elements whose values are not set. Aligned to cache lines, from 4 MiB on to huge pages (which save most of
/// the address look-ups when buckets are written and read in random order). Throws std::bad_alloc like new does.
template <class T>
class Buffer {
  static_assert(std::is_trivial_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(size_t size) : size_(size) {
    constexpr size_t kHugePage = size_t{1} << 21;
    const size_t bytes = size * sizeof(T);
    const size_t alignment = bytes >= 2 * kHugePage ? kHugePage : 64;
    const size_t rounded = (bytes + alignment) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, rounded)));
    if (data_ == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(data_.get(), rounded, MADV_HUGEPAGE);
  }

  /// Makes room for `size` elements, whose values are lost where it must grow.
  void grow(size_t size) {
    if (size > size_) *this = Buffer(size);
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] T& operator[](size_t i) { return data_.get()[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

}  // namespace neardup::join
