// The arrays that tables are made of, each against the plainest form of the same thing: permuted bits, packed fields,
// sorted keys, differences, directories of groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include "neardup/hamming/bit_array.h"
#include "neardup/hamming/delta_block.h"
#include "neardup/hamming/key_order.h"
#include "neardup/hamming/key_scan.h"
#include "neardup/hamming/oracle.h"
#include "neardup/hamming/packed_directory.h"
#include "neardup/hamming/plan.h"
#include "neardup/hamming/section.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
F random_value(std::mt19937_64& random) {
  F value = static_cast<F>(random());
  if constexpr (sizeof(F) > 8) value = value << 64 | random();
  return value;
}

template <class F>
class InnerArrays : public ::testing::Test {};
using BothWidths = ::testing::Types<Fingerprint, Fingerprint128>;
TYPED_TEST_SUITE(InnerArrays, BothWidths);

TYPED_TEST(InnerArrays, AKeyHasEachBitAtItsPlaceAndComesBack) {
  constexpr int kBits = fingerprint::kBitsOf<TypeParam>;
  std::mt19937_64 random(1);
  std::vector<std::vector<uint8_t>> orders;
  for (const Plan& plan : {permuted_plan(kBits, 5, 2), two_level_plan(kBits, 4, 4), scan_plan(kBits, 3)})
    for (const TableLayout& table : plan.tables) orders.push_back(table.order);
  std::vector<uint8_t> shuffled(kBits);
  std::iota(shuffled.begin(), shuffled.end(), uint8_t{0});
  for (int i = 0; i < 10; ++i) {
    std::ranges::shuffle(shuffled, random);
    orders.push_back(shuffled);
  }
  for (const std::vector<uint8_t>& order : orders) {
    const KeyOrder<TypeParam> keys(order);
    for (int round = 0; round < 30; ++round) {
      const auto value = random_value<TypeParam>(random);
      TypeParam key = 0;
      for (int place = 0; place < kBits; ++place)
        key |= (value >> order[static_cast<size_t>(place)] & 1) << (kBits - 1 - place);
      EXPECT_EQ(keys.key_of(value), key);
      EXPECT_EQ(keys.value_of(key), value);
    }
  }
}

TYPED_TEST(InnerArrays, ARangeOfKeysIsThoseOfOnePrefix) {
  constexpr int kBits = fingerprint::kBitsOf<TypeParam>;
  std::mt19937_64 random(2);
  for (int places = 0; places <= kBits; ++places) {
    const auto key = random_value<TypeParam>(random);
    const KeyRange<TypeParam> range(key, places);
    EXPECT_LE(range.first, key);
    EXPECT_GE(range.last, key);
    EXPECT_EQ(range.last - range.first, low_ones<TypeParam>(kBits - places));
    EXPECT_EQ(range.first & low_ones<TypeParam>(kBits - places), TypeParam{0});
  }
}

TYPED_TEST(InnerArrays, TheNearestBoundIsTheBoundWhateverIsGuessed) {
  std::mt19937_64 random(3);
  for (size_t size = 0; size < 40; ++size) {
    std::vector<TypeParam> keys(size);
    for (TypeParam& key : keys) key = static_cast<TypeParam>(random() % 50);
    std::ranges::sort(keys);
    for (uint64_t guess = 0; guess <= size + 2; ++guess) {
      for (TypeParam key = 0; key < 52; key += 3) {
        const auto expected = static_cast<uint64_t>(std::ranges::lower_bound(keys, key) - keys.begin());
        EXPECT_EQ(lower_bound_near(keys.data(), uint64_t{0}, uint64_t{size}, guess, key), expected);
      }
    }
  }
}

TYPED_TEST(InnerArrays, AScanOfKeysIsALoop) {
  std::mt19937_64 random(4);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{9}, size_t{100}}) {
    const auto key = random_value<TypeParam>(random);
    std::vector<TypeParam> keys(size);
    for (TypeParam& near : keys) {
      near = key;
      for (size_t flips = random() % 8; flips > 0; --flips)
        near ^= TypeParam{1} << random() % static_cast<size_t>(fingerprint::kBitsOf<TypeParam>);
    }
    for (const int distance : {0, 2, 5, 16}) {
      std::vector<TableCandidate<TypeParam>> found;
      scan_keys<TypeParam>(keys, key, distance, 1000, found);
      size_t at = 0;
      for (size_t i = 0; i < size; ++i) {
        if (fingerprint::distance_of<TypeParam>(keys[i], key) > distance) continue;
        ASSERT_LT(at, found.size());
        EXPECT_EQ(found[at].key, keys[i]);
        EXPECT_EQ(found[at++].rank, 1000 + i);
      }
      EXPECT_EQ(at, found.size());
    }
  }
}

// Ascending keys whose gaps are even, wild, the least and the greatest.
template <class F>
std::vector<F> ascending_keys(std::mt19937_64& random, size_t size, int kind) {
  std::vector<F> keys;
  F key = kind == 3 ? F{0} : static_cast<F>(random() % 1000);
  for (size_t i = 0; i < size; ++i) {
    keys.push_back(key);
    const F gap = kind == 0   ? F{0}
                  : kind == 1 ? static_cast<F>(random() % 100)
                  : kind == 2 ? static_cast<F>(random() >> (random() % 54 + 10))
                              : static_cast<F>(i == size / 2 ? ~F{0} - 2 * static_cast<F>(size) : F{0});
    key += gap + 1;
  }
  return keys;
}

TYPED_TEST(InnerArrays, DifferencesGiveBackTheirKeys) {
  std::mt19937_64 random(5);
  for (int kind = 0; kind < 4; ++kind) {
    for (const size_t size : {size_t{1}, size_t{2}, size_t{3}, size_t{64}, size_t{255}, size_t{256}}) {
      const std::vector<TypeParam> keys = ascending_keys<TypeParam>(random, size, kind);
      ASSERT_TRUE(std::ranges::is_sorted(keys));
      const DeltaWidths widths = delta_widths<TypeParam>(keys);
      std::vector<uint8_t> bytes(3 + widths.num_bytes + DeltaReader<TypeParam>::kPadding);
      write_delta_block<TypeParam>(keys, widths, bytes.data() + 3);
      DeltaReader<TypeParam> reader(bytes.data(), 3, 3 + uint64_t{widths.num_bytes}, keys[0]);
      for (size_t i = 0; i < size; ++i) {
        EXPECT_EQ(reader.key(), keys[i]) << "kind " << kind << ", " << i << " of " << size;
        ASSERT_TRUE(i + 1 == size || reader.next());
      }
      EXPECT_LE(widths.num_bytes, 2 + size * (sizeof(TypeParam) + 2)) << "hardly more than the keys themselves";
    }
  }
}

TYPED_TEST(InnerArrays, DamagedDifferencesEnd) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint8_t> bytes(2 + random() % 60 + DeltaReader<TypeParam>::kPadding);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const uint64_t end = bytes.size() - DeltaReader<TypeParam>::kPadding;
    DeltaReader<TypeParam> reader(bytes.data(), 0, end, 0);
    size_t count = 0;
    while (reader.next()) ASSERT_LE(++count, 8 * end) << "each key takes a bit at least";
  }
}

TEST(PackedFields, AreReadAsTheyWereWritten) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<Field, int>> fields;
    uint64_t num_bits = random() % 64;
    const uint64_t begin = num_bits;
    for (size_t i = random() % 40; i > 0; --i) {
      const int count = static_cast<int>(random() % 129);
      const Field value = random_value<Fingerprint128>(random);
      fields.emplace_back(count == 128 ? value : value & ((Field{1} << count) - 1), count);
      num_bits += static_cast<uint64_t>(count);
    }
    std::vector<uint64_t> words(num_bits / 64 + 4);
    {
      FieldWriter writer(words.data(), begin);
      for (const auto& [value, count] : fields) writer.push(value, count);
    }
    uint64_t at = begin;
    for (const auto& [value, count] : fields) {
      EXPECT_EQ(read_field(words.data(), at, count), value);
      at += static_cast<uint64_t>(count);
    }
    EXPECT_EQ(read_field(words.data(), 0, static_cast<int>(begin)), Field{0}) << "nothing before is touched";
  }
}

TEST(PackedFields, StretchesThatMeetInAWordAreBothThere) {
  std::vector<uint64_t> words(4);
  {
    FieldWriter first(words.data(), 0), second(words.data(), 37);
    second.push(0x1234567, 29);
    first.push(0xabcdef012, 37);
  }
  EXPECT_EQ(read_field(words.data(), 0, 37), Field{0xabcdef012});
  EXPECT_EQ(read_field(words.data(), 37, 29), Field{0x1234567});
}

// Sizes of groups, even or all in a few.
std::vector<uint64_t> begins_of(std::mt19937_64& random, int bits, int kind) {
  std::vector<uint64_t> begins = {0};
  for (size_t group = 0; group < size_t{1} << bits; ++group) {
    const uint64_t size = kind == 0 ? 4 : kind == 1 ? random() % 9 : kind == 2 ? (random() % 50 == 0 ? 100'000 : 0) : 0;
    begins.push_back(begins.back() + size);
  }
  return begins;
}

PackedDirectory directory_of(const std::vector<uint64_t>& begins, int bits) {
  PackedDirectory directory(bits);
  for (size_t block = 0; block < directory.num_blocks(); ++block) {
    std::vector<uint64_t> of_block;
    for (size_t i = 0; i <= PackedDirectory::kBlock; ++i)
      of_block.push_back(begins[std::min(block * PackedDirectory::kBlock + i, begins.size() - 1)]);
    directory.set_block(block, of_block);
  }
  directory.finish();
  return directory;
}

TEST(DirectoryOfGroups, KnowsWhereEachBeginsAndWhoHoldsARank) {
  std::mt19937_64 random(8);
  for (const int bits : {0, 1, 5, 6, 8, 11}) {
    for (int kind = 0; kind < 4; ++kind) {
      const std::vector<uint64_t> begins = begins_of(random, bits, kind);
      const PackedDirectory directory = directory_of(begins, bits);
      for (uint32_t group = 0; group + 1 < begins.size(); ++group) {
        EXPECT_EQ(directory.range(group).begin, begins[group]) << bits << " " << kind;
        EXPECT_EQ(directory.range(group).end, begins[group + 1]) << bits << " " << kind;
        if (begins[group] == begins[group + 1]) continue;
        EXPECT_EQ(directory.group_of(begins[group]), group);
        EXPECT_EQ(directory.group_of(begins[group + 1] - 1), group);
      }
    }
  }
}

TEST(DirectoryOfGroups, OpenedFromItsSectionsItIsTheSameAndAnotherSizeIsRefused) {
  std::mt19937_64 random(9);
  for (int kind = 0; kind < 3; ++kind) {
    const std::vector<uint64_t> begins = begins_of(random, 8, kind);
    const PackedDirectory directory = directory_of(begins, 8);
    std::vector<TableSection> sections;
    directory.append_sections(sections);
    const auto opened = PackedDirectory::open(sections, 8, begins.back());
    ASSERT_TRUE(opened) << opened.error().message;
    for (uint32_t group = 0; group < 256; ++group) EXPECT_EQ(opened->range(group).end, begins[group + 1]);
    const auto longer = PackedDirectory::open(sections, 8, begins.back() + 1);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().code, Code::kCorruption);
    EXPECT_FALSE(PackedDirectory::open(sections, 9, begins.back())) << "of another number of groups";
    EXPECT_FALSE(PackedDirectory::open({}, 8, begins.back())) << "without sections";
  }
}

TEST(Sections, AreFoundByNameAndLength) {
  const std::vector<std::byte> bytes(5);
  const std::vector<TableSection> sections = {{"a", std::span(bytes).first(2)}, {"b", bytes}};
  EXPECT_EQ(find_section(sections, "b")->size(), 5U);
  EXPECT_EQ(find_section(sections, "a", 2)->size(), 2U);
  EXPECT_EQ(find_section(sections, "c").error().message, "section 'c' is missing");
  EXPECT_EQ(find_section(sections, "a", 3).error().message, "section 'a' has 2 bytes, expected 3");
  EXPECT_EQ(find_section(sections, "a", 3).error().code, Code::kCorruption);
}

}  // namespace
}  // namespace neardup::hamming
