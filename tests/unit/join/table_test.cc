#include "neardup/join/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>

#include "neardup/join/distinct.h"
#include "neardup/join/in_place.h"
#include "neardup/join/partition.h"

namespace neardup::join {
namespace {

using List = std::vector<uint64_t>;

List random_list(size_t size, uint64_t varying, uint64_t seed) {
  std::mt19937_64 random(seed);
  List list(size);
  for (uint64_t& value : list) value = random() & varying;
  return list;
}

void expect_grouped(const List& keys, const BitBlock& block, const hamming::Buckets& buckets) {
  List found;
  for (uint32_t x = 0; x < block.num_buckets(); ++x) {
    for (const uint64_t key : buckets[x]) {
      ASSERT_EQ(block.bucket_of(key), x);
      found.push_back(key);
    }
  }
  List expected = keys;
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_TRUE(expected == found);
}

// Sizes around the borders of cache parts and of parts that are too large to copy.
TEST(Table, GroupsByEveryKindOfBlock) {
  for (const size_t size : {0, 1, 15, 16, 17, 1000, 32767, 32768, 70000, 600'000}) {
    for (const uint64_t mask :
         {0x0ULL, 0x8000000000000000ULL, 0xffff000000000000ULL, 0x3ffffULL, 0xf0000000000f00f0ULL}) {
      for (const uint64_t varying : {~uint64_t{0}, uint64_t{0x00000fff00000fff}}) {
        const List keys = random_list(size, varying, size);
        for (const int threads : {1, 3}) {
          Table table;
          ASSERT_TRUE(table.build(keys, BitBlock(mask), threads, {}));
          expect_grouped(keys, BitBlock(mask), table.buckets());
        }
      }
    }
  }
}

TEST(Table, MemoryIsUsedAgain) {
  Table table;
  for (const size_t size : {50'000, 100, 40'000}) {
    const List keys = random_list(size, ~uint64_t{0}, size);
    for (const uint64_t mask : {0xfff0ULL, 0xffULL}) {
      ASSERT_TRUE(table.build(keys, BitBlock(mask), 2, {}));
      expect_grouped(keys, BitBlock(mask), table.buckets());
    }
  }
}

TEST(Table, IsCancelled) {
  const std::atomic<bool> cancel = true;
  Context context;
  context.cancel = &cancel;
  Table table;
  EXPECT_EQ(table.build(random_list(100'000, ~uint64_t{0}, 1), BitBlock(0xffff), 2, context).error().code,
            Code::kCancelled);
}

TEST(Distinct, KnowsEveryPositionOfEveryKey) {
  for (const size_t size : {0, 1, 2, 1000, 300'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0xff0000000000001f}, uint64_t{0}}) {
      const List set = random_list(size, varying, 3);
      std::map<uint64_t, std::vector<uint32_t>> expected;
      for (uint32_t i = 0; i < size; ++i) expected[set[i]].push_back(i);
      for (const int prefix : {0, 7, 16}) {
        const auto distinct = Distinct::build(set, prefix, 2, {});
        ASSERT_TRUE(distinct);
        ASSERT_EQ(distinct->size(), expected.size());
        EXPECT_TRUE(std::is_sorted(distinct->keys().begin(), distinct->keys().end()));
        for (const auto& [key, positions] : expected) {
          const size_t index = distinct->index_of(key);
          ASSERT_EQ(distinct->keys()[index], key);
          std::vector<uint32_t> found(distinct->positions(index).begin(), distinct->positions(index).end());
          std::sort(found.begin(), found.end());
          ASSERT_EQ(found, positions);
        }
        expect_grouped({distinct->keys().begin(), distinct->keys().end()}, distinct->block(), distinct->buckets());
      }
    }
  }
}

TEST(SortInPlace, SortsAndCarriesPositions) {
  for (const size_t size : {0, 1, 2, 24, 25, 26, 1000, 50'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0xff}, uint64_t{0x8000000000000001}, uint64_t{0}}) {
      const List before = random_list(size, varying, size);
      List keys = before;
      std::vector<uint32_t> positions(size);
      for (uint32_t i = 0; i < size; ++i) positions[i] = i;
      sort_in_place(keys.data(), positions.data(), size);
      EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
      for (size_t i = 0; i < size; ++i) ASSERT_EQ(keys[i], before[positions[i]]);
      std::sort(positions.begin(), positions.end());
      for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(positions[i], i);
    }
  }
}

}  // namespace
}  // namespace neardup::join
