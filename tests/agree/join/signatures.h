// Made-up signatures and the slowest obvious way to all pairs that meet in a band.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "neardup/join/banding.h"

namespace neardup::join {

struct MadeSignatures {
  int num_values = 16;
  std::vector<uint16_t> values;
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(values.size() / static_cast<size_t>(num_values)); }
  [[nodiscard]] const uint16_t* row(size_t i) const { return values.data() + i * static_cast<size_t>(num_values); }
};

/// `count` rows; each is new with probability `fresh`, else a copy of an earlier one with some values changed (or
/// none). Values are below `range`: a small one makes values, and bands, meet by chance.
inline MadeSignatures make_signatures(size_t count, int num_values, double fresh, int range, uint64_t seed) {
  MadeSignatures made{num_values, {}};
  std::mt19937_64 random(seed);
  const auto any = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
  for (size_t i = 0; i < count; ++i) {
    const bool is_new = i == 0 || static_cast<double>(any(1000)) < 1000 * fresh;
    const size_t from = is_new ? 0 : any(i);
    const size_t changed = is_new ? 0 : any(static_cast<size_t>(num_values));
    for (size_t v = 0; v < static_cast<size_t>(num_values); ++v) {
      const bool redraw = is_new || any(static_cast<size_t>(num_values)) < changed;
      const auto drawn = static_cast<uint16_t>(any(static_cast<size_t>(range)));
      made.values.push_back(redraw ? drawn : made.values[from * static_cast<size_t>(num_values) + v]);
    }
  }
  return made;
}

/// The definition: all pairs of rows, all bands, all values.
inline std::vector<Pair> all_banded_pairs(const MadeSignatures& made, const std::vector<Band>& bands, int min_equal) {
  std::vector<Pair> pairs;
  for (uint32_t a = 0; a < made.size(); ++a)
    for (uint32_t b = a + 1; b < made.size(); ++b) {
      const uint16_t *x = made.row(a), *y = made.row(b);
      const auto agrees = [&](uint16_t v) { return x[v] == y[v]; };
      const bool meet = std::ranges::any_of(bands, [&](const Band& band) { return std::ranges::all_of(band, agrees); });
      int equal = 0;
      for (int v = 0; v < made.num_values; ++v) equal += agrees(static_cast<uint16_t>(v));
      if (meet && equal >= min_equal) pairs.push_back({a, b, static_cast<uint32_t>(made.num_values - equal)});
    }
  return pairs;
}

}  // namespace neardup::join
