// Each codec against a sorted list, step by step, for many layouts and kinds of keys, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "neardup/hamming/delta_table.h"
#include "neardup/hamming/key_scan.h"
#include "neardup/hamming/packed_table.h"
#include "neardup/hamming/plain_table.h"
#include "neardup/hamming/table_search.h"
#include "neardup/match/kernels.h"
#include "tests/agree/hamming/sets.h"

namespace neardup::hamming::codec_test {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <template <class> class T, class Value>
struct Case {
  using F = Value;
  using Table = T<F>;
};

template <class F>
TableLayout layout_of(int prefix_bits, int flips = 0) {
  TableLayout layout;
  layout.flips = std::min(flips, prefix_bits);
  for (int bit = fingerprint::kBitsOf<F>; bit-- > 0;) layout.order.push_back(static_cast<uint8_t>(bit));
  layout.prefix_bits = prefix_bits;
  return layout;
}

template <class F>
std::vector<F> distinct(std::vector<F> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class F>
std::string hex(F value) {
  std::string digits;
  for (int shift = fingerprint::kBitsOf<F>; shift > 0;) {
    shift -= 4;
    digits += "0123456789abcdef"[static_cast<int>(value >> shift & 15)];
  }
  return digits;
}

// Stored keys, keys near to them, the ends, and keys that are nowhere.
template <class F>
std::vector<F> probes_of(const std::vector<F>& keys, std::mt19937_64& random) {
  std::vector<F> probes{F{0}, static_cast<F>(~F{0}), sets::random_of<F>(random), sets::random_of<F>(random)};
  for (int i = 0; i < 12 && !keys.empty(); ++i) {
    const F key = keys[random() % keys.size()];
    for (const F probe : {key, key + 1, key - 1, sets::flipped<F>(random, key, 1 + i / 4)}) probes.push_back(probe);
  }
  return probes;
}

template <class T>
class Codec : public ::testing::Test {
 protected:
  using Key = typename T::F;
  using Table = typename T::Table;

  void TearDown() override { match::force_kernel_target(""); }

  // As a query walks through the table.
  static std::vector<TableCandidate<Key>> collected(const Table& table, const TableLayout& layout, Key key,
                                                    int max_distance) {
    const TableSearch<Key, Table> search(table, layout);
    typename TableSearch<Key, Table>::Step step;
    typename TableSearch<Key, Table>::Scratch scratch;
    std::vector<TableCandidate<Key>> found;
    for (uint64_t first = 0; first < search.num_windows(); first += kStepWindows) {
      search.prefetch(key, first);
      search.locate(key, first, max_distance, step);
      search.scan(key, step, scratch, found);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return found;
  }

  static Key known_places(const Table& table, Key key) {
    return key & static_cast<Key>(~low_ones<Key>(fingerprint::kBitsOf<Key> - table.known_bits()));
  }

  // Those in the buckets that the known places do not rule out.
  static std::vector<TableCandidate<Key>> expected(const Table& table, const std::vector<Key>& keys,
                                                   const TableLayout& layout, Key key, int max_distance) {
    const Key prefix = static_cast<Key>(~low_ones<Key>(fingerprint::kBitsOf<Key> - layout.prefix_bits));
    std::vector<TableCandidate<Key>> found;
    for (size_t rank = 0; rank < keys.size(); ++rank) {
      const Key difference = known_places(table, keys[rank] ^ key);
      const bool inside = fingerprint::count_ones<Key>(difference & prefix) <= layout.flips;
      if (inside && fingerprint::count_ones<Key>(difference) <= max_distance) {
        found.push_back({known_places(table, keys[rank]), rank});
      }
    }
    return found;
  }

  // A table that does not know all places reads more than the buckets; a key beside them may be offered, too.
  static void expect_candidates(const Table& table, const std::vector<Key>& keys, const TableLayout& layout, Key probe,
                                int k) {
    const auto found = collected(table, layout, probe, k);
    const auto in_buckets = expected(table, keys, layout, probe, k);
    const auto by_rank = [](const auto& a, const auto& b) { return a.rank < b.rank; };
    EXPECT_TRUE(std::includes(found.begin(), found.end(), in_buckets.begin(), in_buckets.end(), by_rank))
        << hex(probe) << " prefix " << layout.prefix_bits << " flips " << layout.flips << " k " << k;
    if (table.known_bits() == fingerprint::kBitsOf<Key>) {
      EXPECT_EQ(found.size(), in_buckets.size());
    }
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_LT(found[i].rank, keys.size());
      EXPECT_TRUE(found[i].key == known_places(table, keys[found[i].rank])) << hex(probe) << " k " << k;
      EXPECT_LE(fingerprint::count_ones<Key>(known_places(table, found[i].key ^ probe)), k) << hex(probe);
      EXPECT_TRUE(i == 0 || found[i - 1].rank < found[i].rank) << "given twice";
    }
  }

  static void expect_agreement(const Table& table, const std::vector<Key>& keys, const TableLayout& layout) {
    std::mt19937_64 random(keys.size() + static_cast<size_t>(layout.prefix_bits));
    for (const Key probe : probes_of(keys, random)) {
      for (const int k : {0, 3, fingerprint::kMaxDistanceOf<Key>, fingerprint::kBitsOf<Key>}) {
        expect_candidates(table, keys, layout, probe, k);
      }
      for (const int wanted : {0, 1, 7, layout.prefix_bits, table.known_bits() - 1, table.known_bits()}) {
        const int places = std::min(wanted, table.known_bits());
        const KeyRange<Key> range(probe, places);
        const auto first = std::lower_bound(keys.begin(), keys.end(), range.first) - keys.begin();
        const auto last = std::upper_bound(keys.begin(), keys.end(), range.last) - keys.begin();
        const auto ranks = table.equal_range(probe, places);
        EXPECT_EQ(ranks.second - ranks.first, static_cast<uint64_t>(last - first)) << hex(probe) << " " << places;
        if (first == last) continue;
        EXPECT_EQ(ranks.first, static_cast<uint64_t>(first)) << hex(probe) << " places " << places;
      }
    }
    for (uint64_t first = 0; first < keys.size(); first += 1 + keys.size() / 7) {
      std::vector<Key> read(keys.size() - first - (keys.size() - first) / 3);
      table.read_keys(first, read);
      for (size_t i = 0; i < read.size(); ++i) EXPECT_TRUE(read[i] == known_places(table, keys[first + i]));
    }
    for (uint64_t rank = 0; rank < keys.size(); rank += 1 + rank / 64) {
      EXPECT_TRUE(table.key_at(rank) == known_places(table, keys[rank]));
    }
  }
};

using Cases = ::testing::Types<Case<PlainTable, Fingerprint>, Case<DeltaTable, Fingerprint>,
                               Case<PackedTable, Fingerprint>, Case<PlainTable, Fingerprint128>,
                               Case<DeltaTable, Fingerprint128>, Case<PackedTable, Fingerprint128>>;
TYPED_TEST_SUITE(Codec, Cases);

TYPED_TEST(Codec, FindsWhatASortedListHolds) {
  using F = typename TypeParam::F;
  for (const auto& set : sets::all_kinds<F>(2000, 1)) {
    SCOPED_TRACE(set.name);
    const std::vector<F> keys = distinct(set.values);
    for (const int prefix_bits : {0, 1, 5, 12, 26, 40, fingerprint::kBitsOf<F>}) {
      for (const int flips : {0, 1}) {
        const TableLayout layout = layout_of<F>(prefix_bits, flips);
        const auto table = TypeParam::Table::build(keys, layout);
        ASSERT_EQ(table.size(), keys.size());
        this->expect_agreement(table, keys, layout);
      }
    }
  }
}

TYPED_TEST(Codec, OnEveryInstructionSet) {
  using F = typename TypeParam::F;
  std::mt19937_64 random(2);
  for (const std::string& target : match::kernel_targets()) {
    SCOPED_TRACE(target);
    ASSERT_TRUE(match::force_kernel_target(target));
    for (size_t size = 1; size <= 300; size += 1 + size / 4) {
      const std::vector<F> keys = distinct(sets::clustered<F>(random, size));
      const TableLayout layout = layout_of<F>(2);
      this->expect_agreement(TypeParam::Table::build(keys, layout), keys, layout);
    }
  }
}

TYPED_TEST(Codec, EverySizeAroundBlocksAndGroups) {
  using F = typename TypeParam::F;
  std::mt19937_64 random(3);
  for (size_t size = 0; size <= 300; size += 1 + size / 140) {
    const std::vector<F> keys = distinct(sets::uniform<F>(random, size));
    const TableLayout layout = layout_of<F>(4, 2);
    this->expect_agreement(TypeParam::Table::build(keys, layout), keys, layout);
  }
}

TYPED_TEST(Codec, OpenedFromItsSectionsItIsTheSame) {
  using F = typename TypeParam::F;
  for (const auto& set : sets::all_kinds<F>(2000, 4)) {
    SCOPED_TRACE(set.name);
    const std::vector<F> keys = distinct(set.values);
    const TableLayout layout = layout_of<F>(9);
    const auto built = TypeParam::Table::build(keys, layout);
    // Bytes at an odd address must do, too; as in a file, some can be read behind them.
    constexpr size_t kBehind = 64;
    std::vector<std::vector<std::byte>> bytes;
    std::vector<TableSection> sections;
    for (const TableSection& section : built.sections()) {
      bytes.emplace_back(section.bytes.size() + 1 + kBehind);
      std::copy(section.bytes.begin(), section.bytes.end(), bytes.back().begin() + 1);
    }
    for (size_t i = 0; i < bytes.size(); ++i) {
      sections.push_back({built.sections()[i].name,
                          std::span<const std::byte>(bytes[i]).subspan(1, built.sections()[i].bytes.size())});
    }
    const auto opened = TypeParam::Table::open(sections, layout, keys.size());
    ASSERT_TRUE(opened) << opened.error().message;
    this->expect_agreement(*opened, keys, layout);
    EXPECT_FALSE(TypeParam::Table::open(sections, layout, keys.size() + 100));
    EXPECT_FALSE(TypeParam::Table::open(std::span(sections).first(1), layout, keys.size()));
  }
}

}  // namespace
}  // namespace neardup::hamming::codec_test
