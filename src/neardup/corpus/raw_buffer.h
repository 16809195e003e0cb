// Memory for bytes without filling it first: a growing buffer, and an arena whose pieces never move.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace neardup::corpus {

struct FreeBytes {
  void operator()(char* bytes) const noexcept { std::free(bytes); }
};
using Bytes = std::unique_ptr<char, FreeBytes>;

/// Returns `size` uninitialised bytes. Throws std::bad_alloc like new does.
[[nodiscard]] inline Bytes make_bytes(size_t size) {
  Bytes bytes(static_cast<char*>(std::malloc(size)));
  if (bytes == nullptr) throw std::bad_alloc();
  return bytes;
}

/// A buffer of `size` bytes that keeps kPadding readable bytes behind them, for vector code.
class RawBuffer {
 public:
  static constexpr size_t kPadding = 64;

  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] size_t capacity() const { return capacity_; }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  void set_size(size_t size) { size_ = size; }

  /// Makes room for `capacity` bytes; the first size() bytes stay. New bytes are uninitialised.
  void reserve(size_t capacity) {
    if (capacity <= capacity_ && bytes_ != nullptr) return;
    Bytes bytes = make_bytes(capacity + kPadding);
    if (size_ != 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }
  /// Empties the buffer; memory beyond `keep_capacity` is given back.
  void clear(size_t keep_capacity) {
    size_ = 0;
    if (capacity_ <= keep_capacity) return;
    bytes_.reset();
    capacity_ = 0;
  }

 private:
  Bytes bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

/// Hands out pieces of bytes that stay where they are until clear().
class Arena {
 public:
  /// Returns room for `size` bytes. It is taken by use(); another reserve() before that takes it back.
  [[nodiscard]] char* reserve(size_t size) {
    if (blocks_.empty() || size > left_) add_block(size);
    return next_;
  }
  /// Takes the first `size` of the bytes that were reserved last.
  void use(size_t size) {
    next_ += size;
    left_ -= size;
  }
  /// Takes all pieces back; keeps one block for the next round.
  void clear() {
    if (blocks_.empty()) return;
    blocks_.resize(1);
    next_ = blocks_[0].get();
    left_ = kBlockBytes;
  }

 private:
  static constexpr size_t kBlockBytes = size_t{1} << 18;

  void add_block(size_t size) {
    // The first block has the standard size: it is the one that clear() keeps.
    if (blocks_.empty() && size > kBlockBytes) blocks_.push_back(make_bytes(kBlockBytes));
    left_ = size > kBlockBytes ? size : kBlockBytes;
    blocks_.push_back(make_bytes(left_));
    next_ = blocks_.back().get();
  }

  std::vector<Bytes> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace neardup::corpus
