#include "neardup/join/parts.h"

#include <gtest/gtest.h>

#include "neardup/join/budget.h"

namespace neardup::join {
namespace {

TEST(HotMemory, GivesWhatItHas) {
  HotMemory budget(100);
  {
    const MemoryShare first(budget, 60), second(budget, 60), third(budget, 40);
    EXPECT_TRUE(first.taken());
    EXPECT_FALSE(second.taken());
    EXPECT_TRUE(third.taken());
  }
  EXPECT_TRUE(budget.take(100));
}

TEST(Parts, FitInTheLimit) {
  for (const uint64_t size : {1, 1000, 100'000, 1'000'000'000}) {
    for (const uint64_t memory : {10'000'000ULL, 100'000'000ULL, 4'000'000'000ULL}) {
      const auto parts = choose_parts(size, size, true, 2, memory);
      ASSERT_TRUE(parts);
      EXPECT_LE(working_bytes(parts->left, parts->left == size ? 0 : parts->right, 2), memory);
    }
  }
  EXPECT_EQ(choose_parts(1000, 1000, true, 2, 0)->left, 1000U);
  EXPECT_EQ(choose_parts(1000, 1000, true, 2, 1000).error().code, Code::kMemory);
}

}  // namespace
}  // namespace neardup::join
