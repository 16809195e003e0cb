// For keys that are grouped or sorted where they stand: the buckets of a sorted set, mostly a handful of keys, and the
// few parts of skewed sets that would take too much memory to be copied. Sorting looks for the highest bits in which
// keys still differ and groups by eight of them: bits that all share cost no pass. Each level settles at least eight
// bits or ends, so the recursion is at most eight deep.
#include "neardup/join/in_place.h"

#include <bit>

namespace neardup::join {
namespace {

constexpr size_t kInsertionSort = 24;

void insertion_sort(uint64_t* keys, size_t size) {
  for (size_t i = 1; i < size; ++i) {
    const uint64_t key = keys[i];
    size_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

// Returns by how much to shift so that the highest bits in which any two keys differ come first.
int varying_shift(const uint64_t* keys, size_t size) {
  uint64_t differing = 0;
  for (size_t i = 1; i < size; ++i) differing |= keys[i] ^ keys[0];
  return std::max(0, static_cast<int>(std::bit_width(differing)) - 8);
}

}  // namespace

void sort_in_place(uint64_t* keys, size_t size) {
  if (size <= kInsertionSort) return insertion_sort(keys, size);
  // Also the end of the recursion where all keys are equal.
  if (std::is_sorted(keys, keys + size)) return;
  const int shift = varying_shift(keys, size);
  const auto digit_of = [shift](uint64_t key) { return static_cast<size_t>(key >> shift & 0xff); };
  std::array<uint32_t, 256> next{}, ends{};
  for (size_t i = 0; i < size; ++i) ++ends[digit_of(keys[i])];
  uint32_t total = 0;
  for (size_t digit = 0; digit < 256; ++digit) {
    next[digit] = total;
    total = ends[digit] += total;
  }
  group_in_place(keys, next, ends, digit_of);
  for (size_t digit = 0, begin = 0; digit < 256; begin = ends[digit++]) {
    sort_in_place(keys + begin, ends[digit] - begin);
  }
}

}  // namespace neardup::join
