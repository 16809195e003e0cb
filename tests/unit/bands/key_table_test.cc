// Tables of keys against a list that is searched from end to end.
#include "neardup/bands/key_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "neardup/base/hash.h"

namespace neardup::bands {
namespace {

std::vector<KeyEntry> sorted(std::vector<KeyEntry> entries) {
  std::sort(entries.begin(), entries.end());
  return entries;
}
uint64_t key_of(uint64_t known) { return known << (64 - kKeyBits); }

// The slowest obvious way.
std::vector<uint32_t> search(std::span<const KeyEntry> entries, uint64_t key) {
  std::vector<uint32_t> found;
  for (const KeyEntry& entry : entries)
    if (entry.known == known_bits(key)) found.push_back(entry.number);
  return found;
}

std::vector<uint32_t> find(const KeyTable& table, uint64_t key) {
  std::vector<uint32_t> found;
  if (table.size() != 0) {
    table.prefetch(key);
    table.prefetch_tags(key);
  }
  table.find(key, found);
  return found;
}

// The sections of `table` in memory of their own, as a file would hold them.
class Sections {
 public:
  explicit Sections(const KeyTable& table) {
    std::vector<hamming::TableSection> views;
    table.append_sections(views);
    bytes_.reserve(views.size());
    for (const auto& view : views) {
      bytes_.emplace_back(view.bytes.begin(), view.bytes.end());
      bytes_.back().resize(view.bytes.size() + 64);
      sections_.push_back({view.name, std::span(bytes_.back()).first(view.bytes.size())});
    }
  }
  [[nodiscard]] Result<KeyTable> open(uint64_t num_numbers, bool verify = true) const {
    return KeyTable::open(sections_, num_numbers, verify);
  }
  std::vector<hamming::TableSection> sections_;
  std::vector<std::vector<std::byte>> bytes_;
};

// Pages of what is found.
void expect_pages(const KeyTable& table, uint64_t key, const std::vector<uint32_t>& all) {
  for (const uint32_t first : {0U, 1U, all.empty() ? 7U : all[all.size() / 2], UINT32_MAX}) {
    const auto begin = std::ranges::lower_bound(all, first);
    for (const size_t limit : {size_t{0}, size_t{1}, size_t{3}, all.size() + 1}) {
      std::vector<uint32_t> page;
      table.find_from(key, first, limit, page);
      const size_t rest = static_cast<size_t>(all.end() - begin);
      ASSERT_EQ(page, std::vector<uint32_t>(begin, begin + static_cast<std::ptrdiff_t>(std::min(limit, rest))));
    }
  }
}

void expect_agrees(const std::vector<KeyEntry>& entries, std::span<const uint64_t> keys) {
  const KeyTable table(entries);
  for (const uint64_t key : keys) expect_pages(table, key, find(table, key));
  ASSERT_EQ(table.size(), entries.size());
  const Sections file(table);
  const auto opened = file.open(uint64_t{1} << 32);
  ASSERT_TRUE(opened) << opened.error().message;
  for (const uint64_t key : keys) {
    ASSERT_EQ(find(table, key), search(entries, key)) << key;
    ASSERT_EQ(find(*opened, key), search(entries, key)) << key;
  }
  std::vector<KeyEntry> all;
  opened->for_each([&](KeyEntry entry) { all.push_back(entry); });
  EXPECT_EQ(all, entries);
}

TEST(KeyTable, AnswersNothingWhereItIsEmpty) { expect_agrees({}, std::vector<uint64_t>{0, 1, ~uint64_t{0}}); }

TEST(KeyTable, AgreesOnAllSmallSets) {
  // Every multiset of up to four entries among keys that share a group, a tag, all, or nothing.
  const std::vector<uint64_t> some{0, 1, 2, 255, uint64_t{1} << 31, (uint64_t{1} << kKeyBits) - 1};
  std::vector<uint64_t> keys;
  for (const uint64_t known : some) keys.push_back(key_of(known) + 12345);
  const size_t ways = some.size() + 1;
  for (size_t way = 0; way < ways * ways * ways * ways; ++way) {
    std::vector<KeyEntry> entries;
    for (size_t rest = way; rest != 0; rest /= ways)
      if (rest % ways != 0) entries.push_back({some[rest % ways - 1], static_cast<uint32_t>(entries.size() * 7)});
    expect_agrees(sorted(entries), keys);
  }
}

TEST(KeyTable, AgreesOnRandomSetsOfAllSizes) {
  std::mt19937_64 random(1);
  for (const size_t size : {1, 2, 3, 5, 54, 55, 56, 1000, 70'000}) {
    std::vector<KeyEntry> entries;
    std::vector<uint64_t> keys;
    for (size_t i = 0; i < size; ++i) {
      const uint64_t key = random();
      entries.push_back({known_bits(key), static_cast<uint32_t>(random())});
      if (keys.size() < 50) keys.push_back(key), keys.push_back(random()), keys.push_back(key ^ uint64_t{1} << 24);
    }
    expect_agrees(sorted(entries), keys);
  }
}

TEST(KeyTable, AgreesWhereManyHaveOneKey) {
  std::vector<KeyEntry> entries;
  std::mt19937_64 random(2);
  for (uint32_t i = 0; i < 3000; ++i) entries.push_back({i % 3 == 0 ? known_bits(random()) : 77, i});
  for (uint32_t i = 0; i < 3000; ++i) entries.push_back({known_bits(~uint64_t{0}), i * 2});
  expect_agrees(sorted(entries), std::vector<uint64_t>{key_of(77), key_of(76), ~uint64_t{0}, 0});
}

TEST(KeyTable, TellsFewKeysApartOnlyBeyondWhatItKnows) {
  const KeyTable table(std::vector<KeyEntry>{{known_bits(0x123456789aULL << 24), 5}});
  EXPECT_EQ(find(table, (0x123456789aULL << 24) + 0xffffff), (std::vector<uint32_t>{5}));
  EXPECT_TRUE(find(table, 0x123456789bULL << 24).empty());
}

TEST(KeyTable, IsSmall) {
  std::mt19937_64 random(3);
  std::vector<KeyEntry> entries;
  for (uint32_t i = 0; i < 100'000; ++i) entries.push_back({known_bits(random()), i});
  const KeyTable table(sorted(entries));
  EXPECT_LE(table.filter_bytes(), entries.size() * 5 / 2);
  EXPECT_EQ(table.entry_bytes(), entries.size() * 6);
}

TEST(KeyTable, RefusesSectionsThatAreNone) {
  std::vector<KeyEntry> entries;
  for (uint32_t i = 0; i < 200; ++i) entries.push_back({known_bits(mix64(i + 1)), i});
  const Sections file{KeyTable(sorted(entries))};
  EXPECT_TRUE(file.open(200));
  EXPECT_FALSE(file.open(199));  // a number that nobody has
  for (size_t i = 0; i < file.sections_.size(); ++i) {
    Sections other = file;
    other.sections_.erase(other.sections_.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(other.open(200).error().code, Code::kCorruption) << file.sections_[i].name;
    other = file;
    if (other.sections_[i].bytes.empty()) continue;
    other.sections_[i].bytes = other.sections_[i].bytes.first(other.sections_[i].bytes.size() - 1);
    EXPECT_EQ(other.open(200).error().code, Code::kCorruption) << file.sections_[i].name;
  }
}

TEST(KeyTable, ReadsNothingBeyondDamagedSections) {
  std::vector<KeyEntry> entries;
  std::mt19937_64 random(4);
  for (uint32_t i = 0; i < 120; ++i) entries.push_back({known_bits(random()), i});
  const KeyTable table(sorted(entries));
  for (int round = 0; round < 2000; ++round) {
    Sections file(table);
    auto& bytes = file.bytes_[random() % file.bytes_.size()];
    if (bytes.size() <= 64) continue;
    bytes[random() % (bytes.size() - 64)] = static_cast<std::byte>(random());
    for (const bool verify : {false, true}) {
      const auto opened = file.open(120, verify);
      if (!opened) continue;
      for (int i = 0; i < 20; ++i)
        for (const uint32_t number : find(*opened, i % 2 == 0 ? random() : key_of(entries[size_t(i)].known)))
          EXPECT_TRUE(!verify || number < 120);
    }
  }
}

}  // namespace
}  // namespace neardup::bands
