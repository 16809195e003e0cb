// Grouping and sorting without a copy: slower than through one, for the few runs too large to be copied.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace neardup::join {

/// Moves keys so that those of digit d stand together at their place
/// of the array: `next` holds the begin of each digit, `ends` its end; next is used up.
/// The order inside a digit is lost. Cost: at most one swap for each key (American flag sort).
template <class DigitOf>
void group_in_place(uint64_t* keys, std::span<uint32_t> next, std::span<const uint32_t> ends, const DigitOf& digit_of) {
  for (size_t digit = 0; digit < next.size(); ++digit) {
    while (next[digit] < ends[digit]) {
      const uint32_t at = next[digit];
      const size_t home = digit_of(keys[at]);
      const uint32_t to = next[home]++;
      if (home == digit) continue;
      std::swap(keys[at], keys[to]);
    }
  }
}

/// Sorts keys. Cost: up to eight passes, fewer where keys share bits; none where sorted.
void sort_in_place(uint64_t* keys, size_t size);

}  // namespace neardup::join
