#include "neardup/verify/run_index_cache.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace neardup::verify {
namespace {

SharedRunIndex index_of(size_t num_tokens) {
  std::vector<uint32_t> tokens(num_tokens);
  std::iota(tokens.begin(), tokens.end(), 1U);
  return std::make_shared<RunIndex>(tokens);
}

TEST(RunIndexCache, TheLeastRecentlyUsedGoes) {
  RunIndexCache cache(4 * RunIndex::size_bytes_of(100));
  for (uint32_t text = 0; text < 4; ++text) EXPECT_NE(cache.add(text, index_of(100)), nullptr);
  EXPECT_NE(cache.find(0), nullptr);
  cache.add(4, index_of(100));
  EXPECT_EQ(cache.find(1), nullptr);
  for (const uint32_t text : {0U, 2U, 3U, 4U}) EXPECT_NE(cache.find(text), nullptr) << text;
  EXPECT_EQ(cache.size_bytes(), 4 * RunIndex::size_bytes_of(100));
}

TEST(RunIndexCache, WhatIsTooLongHasNoRoom) {
  const RunIndexCache cache(4 * RunIndex::size_bytes_of(100));
  EXPECT_TRUE(cache.has_room_for(100));
  EXPECT_FALSE(cache.has_room_for(1000));
}

TEST(RunIndexCache, TheFirstOfTwoStaysAndOutlivesItsPlace) {
  RunIndexCache cache(4 * RunIndex::size_bytes_of(100));
  const SharedRunIndex first = cache.add(7, index_of(100));
  EXPECT_EQ(cache.add(7, index_of(100)), first);
  for (uint32_t text = 8; text < 20; ++text) cache.add(text, index_of(100));
  EXPECT_EQ(cache.find(7), nullptr);
  EXPECT_EQ(first->size_bytes(), RunIndex::size_bytes_of(100));
}

TEST(RunIndexCache, ManyThreads) {
  RunIndexCache cache(8 * RunIndex::size_bytes_of(100));
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&cache, thread] {
      for (uint32_t i = 0; i < 500; ++i) {
        const uint32_t text = (i * 7 + thread) % 20;
        if (cache.find(text) == nullptr) cache.add(text, index_of(100));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache.size_bytes(), 8 * RunIndex::size_bytes_of(100));
}

}  // namespace
}  // namespace neardup::verify
