#include "neardup/join/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <random>

#include "neardup/join/distinct.h"
#include "neardup/join/narrow_table.h"
#include "neardup/join/partition.h"
#include "neardup/join/positions.h"

namespace neardup::join {
namespace {

using List = std::vector<uint64_t>;

List random_list(size_t size, uint64_t varying, uint64_t seed) {
  std::mt19937_64 random(seed);
  List list(size);
  for (uint64_t& value : list) value = random() & varying;
  return list;
}

void expect_grouped(const List& keys, const BitBlock& block, const match::Buckets& buckets) {
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

TEST(Distinct, KeepsOneOfEachAndNamesTheRepeated) {
  for (const size_t size : {0, 1, 2, 1000, 300'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0xff0000000000001f}, uint64_t{0}}) {
      const List set = random_list(size, varying, 3);
      std::map<uint64_t, size_t> expected;
      for (const uint64_t key : set) ++expected[key];
      List keys, repeated;
      for (const auto& [key, count] : expected) {
        keys.push_back(key);
        if (count > 1) repeated.push_back(key);
      }
      for (const int prefix : {0, 7, 16}) {
        const auto distinct = Distinct::build(set, prefix, 2, {});
        ASSERT_TRUE(distinct);
        ASSERT_TRUE(std::ranges::equal(distinct->keys(), keys));
        EXPECT_EQ(distinct->repeated(), repeated);
        for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(distinct->lower_bound(keys[i]), i);
        expect_grouped(keys, distinct->block(), distinct->buckets());
      }
    }
  }
}

TEST(ValuePositions, AreAllOfTheValuesAskedFor) {
  for (const size_t size : {1, 2, 1000, 200'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0xff0000000000001f}, uint64_t{0}}) {
      const List set = random_list(size, varying, 4);
      std::map<uint64_t, std::vector<uint32_t>> expected;
      for (uint32_t i = 0; i < size; ++i) expected[set[i]].push_back(i);
      for (const size_t step : {1, 50}) {
        List values;
        for (size_t i = 0; i < size; i += step) values.push_back(set[i]);
        const auto positions = ValuePositions::find(values, set, 3, {});
        ASSERT_TRUE(positions);
        for (const uint64_t value : values) {
          std::vector<uint32_t> found;
          positions->for_each(positions->values().lower_bound(value), [&](uint32_t at) { found.push_back(at); });
          std::sort(found.begin(), found.end());
          ASSERT_EQ(found, expected[value]);
          if (found.size() > 1000) break;
        }
      }
    }
  }
}

TEST(NarrowTable, HasEveryFingerprintOnceInItsBucket) {
  for (const size_t size : {0, 1, 100, 5000, 100'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0x0fff00000000003f}}) {
      List keys = random_list(size, varying, size + 5);
      for (size_t i = 0; i + 7 < size; i += 7) keys[i] = keys[i + 7];
      List sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      List distinct;
      std::unique_copy(sorted.begin(), sorted.end(), std::back_inserter(distinct));
      for (const uint64_t mask : {0xfff8000000000000ULL, 0x0003fffc00000000ULL, 0xffffULL, 0x3fULL}) {
        const NarrowCut cut({mask, 1}, size);
        NarrowTable table;
        Repeated repeated;
        ASSERT_TRUE(table.build(keys, cut, 3, repeated, {}));
        List found;
        for (uint32_t x = 0; x < (1U << cut.bits); ++x) {
          const auto range = table.buckets().ranges[x];
          for (uint32_t i = range.begin; i < range.end; ++i) {
            found.push_back(table.buckets().value(x, i));
            ASSERT_EQ(BitBlock(mask).bucket_of(found.back()), x);
          }
        }
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, distinct);
        std::sort(repeated.begin(), repeated.end());
        EXPECT_TRUE(std::adjacent_find(repeated.begin(), repeated.end()) == repeated.end()) << "told twice";
        for (const uint64_t value : repeated) EXPECT_GT(std::ranges::equal_range(sorted, value).size(), 1u);
      }
    }
  }
}

}  // namespace
}  // namespace neardup::join
