// Refuses memory to what a test calls: the n-th piece that is asked for, by whichever thread.
//
// One source of a test program includes this: it replaces operator new.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>

namespace neardup {

/// From now on the n-th piece (from 1) of `least_bytes` and more is refused, once; nothing any more when this ends. One
/// at a time.
class RefusedMemory {
 public:
  explicit RefusedMemory(int64_t n, size_t least_bytes = 0) {
    least_bytes_ = least_bytes;
    left_ = n;
  }
  ~RefusedMemory() { left_ = 0; }
  RefusedMemory(const RefusedMemory&) = delete;
  RefusedMemory& operator=(const RefusedMemory&) = delete;
  /// Refuses nothing any more.
  static void stop() { least_bytes_ = SIZE_MAX; }
  /// Whether so many pieces were asked for.
  [[nodiscard]] bool was_refused() const { return left_ <= 0; }

  /// Of operator new.
  [[nodiscard]] static bool refuses(size_t bytes) { return left_ > 0 && bytes >= least_bytes_ && --left_ == 0; }

 private:
  static inline std::atomic<int64_t> left_{0};  // 0: none is refused
  static inline std::atomic<size_t> least_bytes_{0};
};

/// `make torture` gives one: then every piece is refused.
inline std::optional<uint64_t> torture_seed() {
  const char* const seed = std::getenv("NEARDUP_TORTURE_SEED");
  return seed == nullptr ? std::nullopt : std::optional<uint64_t>(std::strtoull(seed, nullptr, 10));
}

/// Calls `attempt` with the n-th piece refused, n = 1, `step` + 1, ..., until none was: attempt(n) says whether one
/// was.
template <class Attempt>
int64_t refuse_each(int64_t step, const Attempt& attempt) {
  int64_t n = 1;
  while (attempt(n)) n += step;
  return n;
}

}  // namespace neardup

[[gnu::noinline]] void* operator new(size_t bytes) {
  void* const memory = neardup::RefusedMemory::refuses(bytes) ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return neardup::RefusedMemory::refuses(bytes) ? nullptr : std::malloc(bytes);
}
[[gnu::noinline]] void* operator new(size_t bytes, std::align_val_t alignment) {
  const auto multiple = static_cast<size_t>(alignment);
  const size_t rounded = (bytes + multiple - 1) / multiple * multiple;
  void* const memory = neardup::RefusedMemory::refuses(bytes) ? nullptr : std::aligned_alloc(multiple, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
