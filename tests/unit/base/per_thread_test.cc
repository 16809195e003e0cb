#include "neardup/base/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace neardup {
namespace {

std::atomic<int> num_alive = 0;

struct Counted {
  Counted() { ++num_alive; }
  ~Counted() { --num_alive; }
  int value = 0;
};

TEST(PerThread, EachThreadHasItsOwnTillItEnds) {
  static PerThread<Counted> counted;
  counted.get().value = 7;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      EXPECT_EQ(counted.get().value, 0);
      counted.get().value = i;
      std::this_thread::yield();
      EXPECT_EQ(counted.get().value, i);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counted.get().value, 7);
  EXPECT_EQ(num_alive, 1);
}

TEST(PerThread, TwoOfOneTypeAreTwo) {
  static PerThread<std::vector<int>> first, second;
  first.get().assign(3, 1);
  EXPECT_TRUE(second.get().empty());
  EXPECT_NE(&first.get(), &second.get());
}

struct FailsOnce {
  static inline bool has_failed = false;
  FailsOnce() {
    if (!std::exchange(has_failed, true)) throw std::runtime_error("once");
  }
};

TEST(PerThread, WhatCouldNotBeMadeIsTriedAgain) {
  static PerThread<FailsOnce> fails;
  EXPECT_THROW(static_cast<void>(fails.get()), std::runtime_error);
  EXPECT_NO_THROW(static_cast<void>(fails.get()));
}

}  // namespace
}  // namespace neardup
