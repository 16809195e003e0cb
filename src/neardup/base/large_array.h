// A large array without initial values, or of zeros, on huge pages where the system gives them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace neardup {

/// Memory of a LargeArray.
class LargeMemory {
 public:
  enum class Values { kUnset, kZeros };
  /// Throws std::bad_alloc like new does.
  [[nodiscard]] static void* allocate(size_t bytes, Values values);
  /// Gives back what allocate() returned for the same two.
  static void release(void* memory, size_t bytes, Values values);
};

/// `size` elements. Aligned to cache lines, from 4 KiB on to pages, from 4 MiB on to huge ones (which save most of the
/// address look-ups when buckets are written and read in random order). Throws std::bad_alloc like new does. Threads:
/// as an array.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  /// What was moved from is empty.
  LargeArray(LargeArray&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  /// Elements whose values are not set.
  explicit LargeArray(size_t size) : LargeArray(size, LargeMemory::Values::kUnset) {}
  /// Elements that are 0. From 4 MiB on they are memory only once they are touched, and whoever touches a page first
  /// pays for it: the thread that fills it.
  [[nodiscard]] static LargeArray zeros(size_t size) { return LargeArray(size, LargeMemory::Values::kZeros); }

  /// Makes room for `size` elements, whose values are lost where it must grow.
  void grow(size_t size) {
    if (size > size_) *this = LargeArray(size);
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* begin() { return data(); }
  [[nodiscard]] T* end() { return data() + size_; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size_; }
  [[nodiscard]] T& operator[](size_t i) { return data_.get()[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_.get()[i]; }

 private:
  struct Release {
    size_t bytes = 0;
    LargeMemory::Values values = LargeMemory::Values::kUnset;
    void operator()(T* data) const { LargeMemory::release(data, bytes, values); }
  };
  LargeArray(size_t size, LargeMemory::Values values)
      : data_(static_cast<T*>(LargeMemory::allocate(size * sizeof(T), values)), {size * sizeof(T), values}),
        size_(size) {}

  std::unique_ptr<T[], Release> data_;
  size_t size_ = 0;
};

}  // namespace neardup
