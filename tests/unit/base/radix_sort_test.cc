#include "neardup/base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neardup {
namespace {

TEST(RadixSort, AgreesWithSortForAllPlacesOfTheVaryingBits) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> scratch;
  for (const size_t size : {0, 1, 2, 3, 100, 3000}) {
    for (int shift = 0; shift < 64; shift += 5) {
      for (const uint64_t mask : {uint64_t{1}, uint64_t{0x7ff}, uint64_t{0x800}, uint64_t{0xf00f00f}, ~uint64_t{0}}) {
        std::vector<uint64_t> words(size);
        for (uint64_t& word : words) word = 0x123456789abcdef ^ ((random() & mask) << shift);
        std::vector<uint64_t> expected = words;
        std::ranges::sort(expected);
        radix_sort(std::span(words), scratch);
        ASSERT_EQ(words, expected) << size << " " << shift << " " << mask;
      }
    }
  }
}

TEST(SortByDigit, KeepsTheOrderOfEqualDigits) {
  struct Item {
    uint64_t word;
    uint32_t place;
    bool operator==(const Item&) const = default;
  };
  std::mt19937_64 random(2);
  for (const int shift : {0, 7, 53}) {
    std::vector<Item> items(5000), sorted(items.size());
    for (uint32_t i = 0; i < items.size(); ++i) items[i] = {random() << shift, i};
    const auto digit_of = [&](const Item& item) { return item.word >> shift & ((1 << kRadixBits) - 1); };
    sort_by_digit(std::span<const Item>(items), std::span(sorted), shift, [](const Item& item) { return item.word; });
    std::ranges::stable_sort(items, {}, digit_of);
    EXPECT_EQ(sorted, items) << shift;
  }
}

TEST(VaryingBits, AreThoseThatDiffer) {
  const std::vector<uint64_t> one{5}, some{5, 5, 4, uint64_t{1} << 63};
  EXPECT_EQ(varying_bits(std::span(one)), 0U);
  EXPECT_EQ(varying_bits(std::span(some)), uint64_t{1} << 63 | 5);
}

}  // namespace
}  // namespace neardup
