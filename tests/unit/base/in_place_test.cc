#include "neardup/base/in_place.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace neardup {
namespace {

__extension__ using Wide = unsigned __int128;

// Sizes around the border of insertions; bits that all, few or none share.
template <class Key, class Body>
void for_lists(const Body& body) {
  constexpr int kHalf = sizeof(Key) * 4;
  for (const size_t size : {0, 1, 2, 24, 25, 26, 1000, 50'000}) {
    for (const uint64_t varying : {~uint64_t{0}, uint64_t{0xff}, uint64_t{0x8000000000000001}, uint64_t{0}}) {
      for (const bool both : {false, true}) {
        std::mt19937_64 random(size);
        std::vector<Key> keys(size);
        for (Key& key : keys) key = static_cast<Key>(random() & varying) << (both ? kHalf : 0) ^ (random() & varying);
        body(keys);
      }
    }
  }
}

template <class Key>
void expect_sorts_keys() {
  for_lists<Key>([](std::vector<Key> keys) {
    std::vector<Key> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sort_in_place(keys.data(), keys.size());
    ASSERT_TRUE(keys == sorted);
  });
}

template <class Key, class Payload>
void expect_sorts_pairs() {
  for_lists<Key>([](std::vector<Key> keys) {
    std::vector<Payload> payloads(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) payloads[i] = static_cast<Payload>(i * 0x9e3779b97f4a7c15 >> 40);
    std::vector<std::pair<Key, Payload>> sorted, found;
    for (size_t i = 0; i < keys.size(); ++i) sorted.emplace_back(keys[i], payloads[i]);
    std::sort(sorted.begin(), sorted.end());
    sort_in_place(keys.data(), payloads.data(), keys.size());
    for (size_t i = 0; i < keys.size(); ++i) found.emplace_back(keys[i], payloads[i]);
    ASSERT_TRUE(found == sorted);
  });
}

TEST(SortInPlace, SortsKeys) {
  expect_sorts_keys<uint64_t>();
  expect_sorts_keys<Wide>();
}

TEST(SortInPlace, SortsPayloadsOfEqualKeys) {
  expect_sorts_pairs<uint64_t, uint32_t>();
  expect_sorts_pairs<uint64_t, uint64_t>();
  expect_sorts_pairs<Wide, uint32_t>();
}

}  // namespace
}  // namespace neardup
