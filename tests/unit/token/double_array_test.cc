#include "neardup/token/double_array.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace neardup::token {
namespace {

std::vector<TrieKey> keys_of(const std::map<std::vector<uint16_t>, uint32_t>& map) {
  std::vector<TrieKey> keys;
  for (const auto& [labels, value] : map) keys.push_back({labels, value, value});
  return keys;
}

uint32_t find(const std::vector<TrieEntry>& entries, const std::vector<uint16_t>& labels) {
  TrieEntry entry(kRootBase, 0, 0);
  for (const uint16_t label : labels) {
    entry = entries[entry.base() + label];
    if (entry.label() != label) return 0;
  }
  return entry.value();
}

std::map<std::vector<uint16_t>, uint32_t> random_keys(std::mt19937_64& random, uint32_t num_labels, size_t count) {
  std::map<std::vector<uint16_t>, uint32_t> keys;
  while (keys.size() < count) {
    std::vector<uint16_t> labels(1 + random() % 6);
    for (uint16_t& label : labels) label = static_cast<uint16_t>(1 + random() % (1 + random() % num_labels));
    keys[labels] = static_cast<uint32_t>(1 + random() % TrieEntry::kMaxValue);
  }
  return keys;
}

TEST(DoubleArrayTest, FindsItsKeysAndNoOthers) {
  std::mt19937_64 random(1);
  for (const auto& [num_labels, count] : {std::pair{2U, 20U}, {50U, 3000U}, {5000U, 20000U}}) {
    const auto keys = random_keys(random, num_labels, count);
    const auto entries = build_trie(keys_of(keys), num_labels).value();
    EXPECT_TRUE(is_sound_trie(entries, num_labels, 6));
    for (const auto& [labels, value] : keys) ASSERT_EQ(find(entries, labels), value);
    for (const auto& [labels, value] : random_keys(random, num_labels, count)) {
      const auto known = keys.find(labels);
      ASSERT_EQ(find(entries, labels), known == keys.end() ? 0 : known->second);
    }
  }
}

TEST(DoubleArrayTest, ATrieWithoutKeysHasNoChildren) {
  const auto entries = build_trie({}, 3).value();
  EXPECT_TRUE(is_sound_trie(entries, 3, 6));
  EXPECT_EQ(find(entries, {1}), 0U);
}

TEST(DoubleArrayTest, UnsoundEntriesAreFound) {
  std::mt19937_64 random(2);
  const auto keys = random_keys(random, 50, 300);
  const auto entries = build_trie(keys_of(keys), 50).value();
  EXPECT_FALSE(is_sound_trie(entries, 50, 5)) << "deeper than allowed";
  EXPECT_FALSE(is_sound_trie(std::span(entries).first(entries.size() - 60), 50, 6)) << "steps beyond the end";
  EXPECT_FALSE(is_sound_trie({}, 0, 6));
  std::vector<TrieEntry> cycle(20);
  cycle[5] = TrieEntry(4, 1, 0);  // its own child by the label 1
  EXPECT_FALSE(is_sound_trie(cycle, 2, 6));
  std::vector<TrieEntry> orphan(20);
  orphan[8] = TrieEntry(kLeafBase, 2, 0);
  EXPECT_FALSE(is_sound_trie(orphan, 2, 6));
}

}  // namespace
}  // namespace neardup::token
