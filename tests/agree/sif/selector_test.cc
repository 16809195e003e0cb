// Selection by vectors against the definitions, on every instruction set of the machine.
#include "neardup/sif/selector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "neardup/sif/polynomial.h"
#include "tests/agree/each_target.h"

namespace neardup::sif {
namespace {

std::vector<uint16_t> slow_keys(const std::string& text, size_t length) {
  std::vector<uint16_t> keys;
  for (size_t i = 0; i + length <= text.size(); ++i)
    keys.push_back(static_cast<uint16_t>(polynomial_of(std::string_view(text).substr(i, length)) * 0x85ebca6bU >> 16));
  return keys;
}

// Every window of substrings, one after the other; of all that are least in one, those are kept.
std::vector<uint64_t> slow_minima(const std::string& text, const Selection& selection) {
  const auto keys = slow_keys(text, selection.substring_bytes);
  std::vector<bool> kept(keys.size());
  const size_t window = std::min<size_t>(selection.window, keys.size());
  for (size_t begin = 0; !keys.empty() && begin + window <= keys.size(); ++begin) {
    const uint16_t least = *std::min_element(keys.begin() + static_cast<ptrdiff_t>(begin),
                                             keys.begin() + static_cast<ptrdiff_t>(begin + window));
    for (size_t i = begin; i < begin + window; ++i) kept[i] = kept[i] || keys[i] == least;
  }
  std::vector<uint64_t> positions;
  for (size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) positions.push_back(i);
  return positions;
}

std::vector<uint64_t> slow_zeros(const std::string& text, const Selection& selection) {
  std::vector<uint64_t> positions;
  for (size_t i = 0; i + selection.substring_bytes <= text.size(); ++i) {
    const uint32_t value = polynomial_of(std::string_view(text).substr(i, selection.substring_bytes));
    if (value % (uint32_t{1} << selection.zero_bits) == 0) positions.push_back(i);
  }
  return positions;
}

std::vector<Fingerprint> slow_select(const std::string& text, const Selection& selection) {
  const bool winnows = selection.kind == SelectionKind::kWinnow;
  std::vector<Fingerprint> out;
  for (const uint64_t position : winnows ? slow_minima(text, selection) : slow_zeros(text, selection)) {
    const uint64_t value = value_of(std::string_view(text).substr(position, selection.substring_bytes));
    const bool overlaps = !out.empty() && position < out.back().position + selection.substring_bytes;
    if (overlaps && (!winnows || value == out.back().value)) continue;
    out.push_back({value, position});
  }
  return out;
}

std::string text_of(size_t size, unsigned letters, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>(random() % letters);
  return text;
}

void expect_agreement(const std::string& text, const Selection& selection) {
  Selector selector(selection);
  std::vector<Fingerprint> fast;
  selector.select(text, fast);
  ASSERT_EQ(fast, slow_select(text, selection))
      << text.size() << " bytes, substring " << selection.substring_bytes << ", window " << selection.window;
}

TEST(SelectorAgrees, OnAllSmallTexts) {
  Selection selection;
  selection.substring_bytes = 4;
  on_each_target([&] {
    for (const uint32_t window : {1, 2, 3, 5}) {
      selection.window = window;
      for (uint32_t bits = 0; bits < 1U << 12; ++bits) {
        std::string text;
        for (int i = 0; i < 12; ++i) text += (bits >> i & 1) != 0 ? 'b' : 'a';
        expect_agreement(text, selection);
      }
    }
  });
}

TEST(SelectorAgrees, OnRandomTextsOfManySizes) {
  on_each_target([&] {
    for (const uint32_t length : {4, 7, 50, 63, 64, 100}) {
      for (const uint32_t window : {1, 3, 64, 100, 513}) {
        for (const size_t size : {0, 3, 4, 50, 51, 113, 400, 2047, 2048, 2049, 2200, 5000}) {
          for (const auto kind : {SelectionKind::kWinnow, SelectionKind::kSample}) {
            const Selection selection{kind, length, window, 3, {}};
            expect_agreement(text_of(size, size % 2 == 0 ? 256 : 2, length + window), selection);
          }
        }
      }
    }
  });
}

// All substrings that are least of a few in a row, but those that are least of many, too.
std::set<uint64_t> slow_fine(const std::string& text, const Selection& selection) {
  Selection fine = selection;
  fine.window = std::min(selection.window, kFineWindow);
  const auto all = slow_minima(text, fine), many = slow_minima(text, selection);
  std::set<uint64_t> values;
  for (const uint64_t position : all)
    if (!std::ranges::binary_search(many, position))
      values.insert(value_of(std::string_view(text).substr(position, selection.substring_bytes)));
  return values;
}

TEST(SelectorAgrees, FineValuesAreThoseOfAFineWindow) {
  for (const uint32_t window : {1, 9, 64, 100}) {
    for (const unsigned letters : {2, 256}) {
      for (const size_t size : {50, 51, 60, 113, 2047, 2100, 9000}) {
        const Selection selection{SelectionKind::kWinnow, 50, window, 6, {}};
        const std::string text = text_of(size, letters, window + letters);
        const std::set<uint64_t> expected = slow_fine(text, selection);
        ValueFilter filter(1000);
        size_t number = 0;
        for (const uint64_t value : expected)
          if (++number % 3 == 0) filter.add(value);
        on_each_target([&] {
          Selector selector(selection);
          std::vector<Fingerprint> kept;
          std::vector<uint64_t> fine;
          selector.select(text, kept, &fine);
          EXPECT_EQ(kept, slow_select(text, selection));
          EXPECT_EQ(std::set<uint64_t>(fine.begin(), fine.end()), expected) << size << " " << window;
          selector.select(text, kept, &fine, &filter);
          std::set<uint64_t> filtered;
          for (const uint64_t value : expected)
            if (filter.may_hold(value)) filtered.insert(value);
          EXPECT_EQ(std::set<uint64_t>(fine.begin(), fine.end()), filtered);
        });
      }
    }
  }
}

}  // namespace
}  // namespace neardup::sif
