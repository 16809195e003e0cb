// Growing tables of keys against a list, and read while they grow.
#include "neardup/bands/key_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::bands {
namespace {

struct Added {
  uint64_t key;
  uint32_t number;
};

// The slowest obvious way.
std::vector<uint32_t> newest_first(const std::vector<Added>& all, uint64_t key, size_t from, size_t to) {
  std::vector<uint32_t> found;
  for (size_t i = to; i-- > from;)
    if (known_bits(all[i].key) == known_bits(key)) found.push_back(all[i].number);
  return found;
}

TEST(KeyMap, AgreesForAllPairsOfStates) {
  std::mt19937_64 random(1);
  for (const uint64_t num_keys : {1, 3, 40}) {
    KeyMap map(60);
    std::vector<Added> all;
    for (uint32_t i = 0; i < 60; ++i) {
      all.push_back({mix64(random() % num_keys), i * 3});
      map.prefetch(all.back().key);
      map.add(all.back().key, all.back().number);
    }
    ASSERT_EQ(map.size(), map.capacity());
    for (uint32_t from = 0; from <= 60; from += 4) {
      for (uint32_t to = from; to <= 60; to += 3) {
        for (uint64_t i = 0; i <= num_keys; ++i) {
          std::vector<uint32_t> found;
          map.find(mix64(i), from, to, found);
          ASSERT_EQ(found, newest_first(all, mix64(i), from, to)) << num_keys << " " << from << " " << to;
        }
      }
    }
  }
}

// Slots of many keys, whose marks are shared.
TEST(KeyMap, FindsEachOfManyKeysAndNoOther) {
  for (const uint32_t count : {100U, 5000U, 1U << 16}) {
    KeyMap map(count);
    for (uint32_t i = 0; i < count; ++i) map.add(mix64(i), i);
    for (uint32_t i = 0; i < 2 * count; ++i) {
      std::vector<uint32_t> found;
      map.find(mix64(i), 0, count, found);
      ASSERT_EQ(found, i < count ? std::vector<uint32_t>{i} : std::vector<uint32_t>()) << count << " " << i;
    }
  }
}

TEST(KeyMap, HoldsAsManyAsItSays) {
  KeyMap one(1);
  EXPECT_EQ(one.size(), 0u);
  EXPECT_EQ(one.size_bytes(), 0u);
  one.add(0, 7);
  std::vector<uint32_t> found;
  one.find(0, 0, 1, found);
  EXPECT_EQ(found, (std::vector<uint32_t>{7}));
  found.clear();
  one.find(0, 1, 1, found);
  one.find(0, 0, 0, found);
  EXPECT_TRUE(found.empty());
  EXPECT_GE(one.size_bytes(), 16u);
}

TEST(KeyMap, SortsItsEntriesForATable) {
  std::mt19937_64 random(2);
  KeyMap map(500);
  std::vector<KeyEntry> expected;
  for (uint32_t i = 0; i < 500; ++i) {
    const uint64_t key = random() % 2 == 0 ? random() : 1;
    map.add(key, i);
    expected.push_back({known_bits(key), i});
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(map.sorted(), expected);
}

TEST(KeyMap, ReadersSeeWhatTheyCountWhileItGrows) {
  constexpr uint32_t kCount = 20'000, kKeys = 50;
  KeyMap map(kCount);
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&] {
      std::vector<uint32_t> found;
      for (uint32_t state = 0; state < kCount; state = map.size()) {
        found.clear();
        map.find(mix64(state % kKeys), 0, state, found);
        // Entry i has key i % kKeys and number i.
        const uint32_t first = state % kKeys, expected = (state + kKeys - 1 - first) / kKeys;
        if (found.size() != expected) ++wrong;
        for (size_t i = 0; i < found.size(); ++i)
          if (found[i] != first + (expected - 1 - i) * kKeys) ++wrong;
      }
    });
  }
  for (uint32_t i = 0; i < kCount; ++i) map.add(mix64(i % kKeys), i);
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace neardup::bands
