// Unset memory comes from the heap, which hands it out again without the system clearing it once more; zeros are fresh
// pages of the system, which are cleared when they are touched, so nobody pays for room that stays empty.
#include "neardup/base/large_array.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace neardup {
namespace {

constexpr size_t kLine = 64, kPage = 4096, kHugePage = size_t{1} << 21;

bool is_huge(size_t bytes) { return bytes >= 2 * kHugePage; }
size_t round_up(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }
size_t alignment_of(size_t bytes) { return is_huge(bytes) ? kHugePage : bytes >= kPage ? kPage : kLine; }
// With a line behind the end, for kernels that look ahead.
size_t rounded_of(size_t bytes) { return round_up(bytes + kLine, alignment_of(bytes)); }

// All is given back by its begin alone: what stands before and behind the whole huge pages goes at once.
void* map_pages(size_t rounded) {
  void* memory =
      mmap(nullptr, rounded + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* mapped = static_cast<char*>(memory);
  const size_t before = round_up(reinterpret_cast<uintptr_t>(mapped), kHugePage) - reinterpret_cast<uintptr_t>(mapped);
  if (before > 0) munmap(mapped, before);
  if (before < kHugePage) munmap(mapped + before + rounded, kHugePage - before);
  madvise(mapped + before, rounded, MADV_HUGEPAGE);
  return mapped + before;
}

}  // namespace

void* LargeMemory::allocate(size_t bytes, Values values) {
  const size_t rounded = rounded_of(bytes);
  if (values == Values::kZeros && is_huge(bytes)) return map_pages(rounded);
  void* memory = std::aligned_alloc(alignment_of(bytes), rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (is_huge(bytes)) madvise(memory, rounded, MADV_HUGEPAGE);
  if (values == Values::kZeros) std::memset(memory, 0, rounded);
  return memory;
}

void LargeMemory::release(void* memory, size_t bytes, Values values) {
  if (values == Values::kUnset || !is_huge(bytes)) return std::free(memory);
  munmap(memory, rounded_of(bytes));
}

}  // namespace neardup
