#include "neardup/base/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace neardup {
namespace {

TEST(MemoryBudget, PermitsHoldUntilTheyAreReleased) {
  MemoryBudget budget(100);
  MemoryBudget::Permit none;
  EXPECT_FALSE(none.holds());
  MemoryBudget::Permit first = budget.acquire(60);
  MemoryBudget::Permit second = budget.acquire(40);
  EXPECT_TRUE(first.holds() && second.holds());
  MemoryBudget::Permit moved = std::move(first);
  EXPECT_TRUE(moved.holds());
  moved.release();
  EXPECT_FALSE(moved.holds());
  EXPECT_TRUE(budget.acquire(60).holds()) << "what was released is free again";
}

TEST(MemoryBudget, WhatIsMoreThanAllIsAll) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.acquire(1000).holds());
  EXPECT_TRUE(budget.acquire(100).holds());
}

TEST(MemoryBudget, NeverMoreThanItsCapacityIsOut) {
  MemoryBudget budget(10);
  std::atomic<int64_t> out{0};
  std::atomic<int64_t> most{0};
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 500; ++i) {
        const int64_t bytes = (t + i) % 10 + 1;
        const MemoryBudget::Permit permit = budget.acquire(static_cast<uint64_t>(bytes));
        const int64_t now = out += bytes;
        for (int64_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        out -= bytes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(out, 0);
  EXPECT_LE(most, 10);
  EXPECT_GE(most, 10) << "a permit of all was given";
}

}  // namespace
}  // namespace neardup
