// What a query that runs out of memory leaves behind: nothing that the next one on its thread would see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <random>
#include <thread>

#include "neardup/hamming/static_index.h"

namespace {

thread_local int allocations_left = -1;  // of this thread; none fails below 0

void* allocate(size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(std::max<size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Not inlined: the compiler would see free() end what it knows as operator new, and warn.
[[gnu::noinline]] void* operator new(size_t size) { return allocate(size); }
[[gnu::noinline]] void* operator new[](size_t size) { return allocate(size); }
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;

// On a thread of its own, so that what a query keeps from call to call starts empty. Returns whether it was enough.
bool query_with_allocations(const StaticIndex<Fingerprint>& index, Fingerprint query, int allocations,
                            std::vector<Match<Fingerprint>>& next) {
  bool enough = true;
  std::thread([&] {
    std::vector<Match<Fingerprint>> matches;
    allocations_left = allocations;
    try {
      index.query(query, 3, matches);
    } catch (const std::bad_alloc&) {
      enough = false;
    }
    allocations_left = -1;
    index.query(query, 3, next);
  }).join();
  std::sort(next.begin(), next.end());
  return enough;
}

TEST(SearcherMemory, AQueryThatFailsLeavesNothingToTheNext) {
  std::mt19937_64 random(1);
  std::vector<Fingerprint> values;
  for (int i = 0; i < 100; ++i) values.push_back(Fingerprint{1} << random() % 64 | Fingerprint{1} << random() % 64);
  const Block blocks[] = {{8, 1}, {8, 1}};
  for (const Codec codec : {Codec::kPacked, Codec::kPlain, Codec::kDelta}) {
    BuildOptions options;
    options.codec = codec;
    const auto index = StaticIndex<Fingerprint>::build(values, {}, flip_plan(64, 3, blocks), options);
    ASSERT_TRUE(index) << index.error().message;
    std::vector<Match<Fingerprint>> expected;
    index->query(0, 3, expected);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(expected.size(), values.size());
    int allocations = 0;
    for (bool enough = false; !enough; ++allocations) {
      std::vector<Match<Fingerprint>> matches;
      enough = query_with_allocations(*index, 0, allocations, matches);
      EXPECT_EQ(matches, expected) << "after " << allocations << " allocations";
    }
    EXPECT_GT(allocations, 5);
  }
}

}  // namespace
}  // namespace neardup::hamming
