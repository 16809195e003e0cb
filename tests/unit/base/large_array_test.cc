#include "neardup/base/large_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kHuge = size_t{4} << 20, kPage = size_t{2} << 20;

// Around the border from the heap to huge pages, and whole numbers of huge pages.
TEST(LargeArray, ZerosAreZerosAndAligned) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{64}, size_t{4096}, kHuge - 1, kHuge, kHuge + 1, 3 * kPage}) {
    auto array = LargeArray<uint8_t>::zeros(size);
    ASSERT_EQ(array.size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % (size < kHuge ? size < 4096 ? 64 : 4096 : kPage), 0U) << size;
    EXPECT_EQ(std::count(array.data(), array.data() + size, 0), static_cast<std::ptrdiff_t>(size));
    std::fill_n(array.data(), size, uint8_t{1});
  }
}

// Kernels look ahead by up to a line.
TEST(LargeArray, ALineBehindTheEndMayBeRead) {
  for (const size_t size : {size_t{64}, kHuge, 3 * kPage}) {
    const auto array = LargeArray<uint8_t>::zeros(size);
    EXPECT_EQ(std::count(array.data() + size, array.data() + size + 64, 0), 64) << size;
  }
}

TEST(LargeArray, GrowsAndNeverShrinks) {
  LargeArray<uint64_t> array;
  EXPECT_EQ(array.size(), 0U);
  array.grow(10);
  array[9] = 7;
  const uint64_t* before = array.data();
  array.grow(5);
  EXPECT_EQ(array.size(), 10U);
  EXPECT_EQ(array.data(), before);
  EXPECT_EQ(array[9], 7U);
  array.grow(kHuge);
  EXPECT_EQ(array.size(), kHuge);
  const LargeArray<uint64_t> moved = std::move(array);
  EXPECT_EQ(moved.size(), kHuge);
}

TEST(LargeArray, RefusedMemoryIsBadAlloc) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the program where so much is asked for";
#endif
  EXPECT_THROW(LargeArray<uint8_t>(size_t{1} << 60), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(LargeArray<uint8_t>::zeros(size_t{1} << 60)), std::bad_alloc);
}

}  // namespace
}  // namespace neardup
