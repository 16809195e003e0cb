#include "neardup/text/icu_reserve.h"

#include <malloc.h>
#include <unicode/uclean.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace neardup::text {
namespace {

// Pages of it are there once they are used. Pieces are given out one behind the other, and all of it again once none is
// left.
class IcuReserve {
 public:
  void* take(size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    if (size_bytes > sizeof bytes_) return nullptr;
    const size_t needed = kHeader + (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (needed > sizeof bytes_ - used_) return nullptr;
    std::byte* const piece = bytes_ + used_;
    std::memcpy(piece, &size_bytes, sizeof size_bytes);
    used_ += needed;
    ++num_pieces_;
    return piece + kHeader;
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    if (--num_pieces_ == 0) used_ = 0;
  }
  [[nodiscard]] bool has(const void* piece) const { return piece >= bytes_ && piece < bytes_ + sizeof bytes_; }
  static size_t size_of(const void* piece) {
    size_t size_bytes = 0;
    std::memcpy(&size_bytes, static_cast<const std::byte*>(piece) - kHeader, sizeof size_bytes);
    return size_bytes;
  }

 private:
  static constexpr size_t kAlignment = alignof(std::max_align_t), kHeader = kAlignment;
  std::mutex mutex_;
  size_t used_ = 0, num_pieces_ = 0;
  alignas(std::max_align_t) std::byte bytes_[size_t{512} << 10] = {};
};

constinit IcuReserve icu_reserve;

void* take_for_icu(const void*, size_t size_bytes) {
  void* const piece = std::malloc(size_bytes);
  return piece != nullptr ? piece : icu_reserve.take(size_bytes);
}

void give_back_of_icu(const void*, void* piece) {
  if (!icu_reserve.has(piece)) return std::free(piece);
  icu_reserve.give_back();
}

void* resize_for_icu(const void*, void* piece, size_t size_bytes) {
  if (!icu_reserve.has(piece)) {
    if (void* const resized = std::realloc(piece, size_bytes); resized != nullptr) return resized;
  }
  void* const other = take_for_icu(nullptr, size_bytes);
  if (other == nullptr || piece == nullptr) return other;
  const size_t had = icu_reserve.has(piece) ? IcuReserve::size_of(piece) : ::malloc_usable_size(piece);
  std::memcpy(other, piece, std::min(had, size_bytes));
  give_back_of_icu(nullptr, piece);
  return other;
}

}  // namespace

void keep_icu_reserve() {
  UErrorCode error = U_ZERO_ERROR;
  u_setMemoryFunctions(nullptr, &take_for_icu, &resize_for_icu, &give_back_of_icu, &error);
}

}  // namespace neardup::text
