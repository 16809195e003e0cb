// The arrays that tables are made of: their own, or views of the bytes of a file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "neardup/base/large_array.h"

namespace neardup::hamming {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers, and are read as they are");

/// An array that is filled once and then read. Copies share the elements. Threads: any number of readers.
template <class T>
class StoredArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  StoredArray() = default;
  /// LargeArray<T>::zeros(size).
  explicit StoredArray(size_t size) {
    const auto zeros = std::make_shared<LargeArray<T>>(LargeArray<T>::zeros(size));
    owner_ = {zeros, zeros->data()};
    view_ = {owner_.get(), size};
  }
  /// A view of the whole elements in `bytes`, which must outlive it; a copy where they are not aligned.
  static StoredArray of_bytes(std::span<const std::byte> bytes) {
    const size_t size = bytes.size() / sizeof(T);
    if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(T) == 0) {
      StoredArray array;
      array.view_ = {reinterpret_cast<const T*>(bytes.data()), size};
      return array;
    }
    StoredArray array(size);
    std::memcpy(static_cast<void*>(array.data()), bytes.data(), size * sizeof(T));
    return array;
  }

  [[nodiscard]] size_t size() const { return view_.size(); }
  [[nodiscard]] const T* data() const { return view_.data(); }
  /// Requires: not a view.
  [[nodiscard]] T* data() { return owner_.get(); }
  [[nodiscard]] const T& operator[](size_t i) const { return view_[i]; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(view_); }

 private:
  std::span<const T> view_;   // all readers use this alone
  std::shared_ptr<T> owner_;  // none for a view of a file
};

/// Ascending positions in some array, each in 4 bytes where all fit, else in 8.
class PackedPositions {
 public:
  PackedPositions() = default;
  /// Room for `size` positions of at most `greatest`.
  PackedPositions(size_t size, uint64_t greatest) : size_(size), wide_(needs_wide(greatest)) {
    if (wide_) {
      eights_ = StoredArray<uint64_t>(size);
    } else {
      fours_ = StoredArray<uint32_t>(size);
    }
  }
  /// What bytes() gave. Requires: bytes.size() == num_bytes(size, greatest).
  static PackedPositions of_bytes(std::span<const std::byte> bytes, size_t size, uint64_t greatest) {
    PackedPositions positions;
    positions.size_ = size;
    positions.wide_ = needs_wide(greatest);
    if (positions.wide_) {
      positions.eights_ = StoredArray<uint64_t>::of_bytes(bytes);
    } else {
      positions.fours_ = StoredArray<uint32_t>::of_bytes(bytes);
    }
    return positions;
  }
  static uint64_t num_bytes(uint64_t size, uint64_t greatest) { return size * (needs_wide(greatest) ? 8 : 4); }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] uint64_t operator[](size_t i) const { return wide_ ? eights_[i] : fours_[i]; }
  void set(size_t i, uint64_t position) {
    if (wide_) {
      eights_.data()[i] = position;
    } else {
      fours_.data()[i] = static_cast<uint32_t>(position);
    }
  }
  void prefetch(size_t i) const {
    __builtin_prefetch(wide_ ? static_cast<const void*>(eights_.data() + i) : fours_.data() + i);
  }
  /// Returns true where the positions begin with 0, never fall and end with `last`.
  [[nodiscard]] bool ascend_to(uint64_t last) const {
    if (size_ == 0 || (*this)[0] != 0 || (*this)[size_ - 1] != last) return false;
    for (size_t i = 1; i < size_; ++i) {
      if ((*this)[i] < (*this)[i - 1]) return false;
    }
    return true;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return wide_ ? eights_.bytes() : fours_.bytes(); }

 private:
  static bool needs_wide(uint64_t greatest) { return greatest > UINT32_MAX; }

  size_t size_ = 0;
  bool wide_ = false;  // 8 bytes each: only one of the two arrays is filled
  StoredArray<uint32_t> fours_;
  StoredArray<uint64_t> eights_;
};

}  // namespace neardup::hamming
