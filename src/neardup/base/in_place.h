// Grouping and sorting without a copy: slower than through one, for what is too large or too little to be copied.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "neardup/base/scatter.h"

namespace neardup {

/// Moves keys, and the payloads beside them (an empty Payload has none), so that those of digit d stand together at
/// their place of the array: `next` holds the begin of each digit, `ends` its end; next is used up.
/// The order inside a digit is lost. Cost: at most one swap for each key (American flag sort).
template <class Key, class Payload, class Place, class DigitOf>
void group_in_place(Key* keys, Payload* payloads, std::span<Place> next, std::span<const Place> ends,
                    const DigitOf& digit_of) {
  for (size_t digit = 0; digit < next.size(); ++digit) {
    while (next[digit] < ends[digit]) {
      const Place at = next[digit];
      const size_t home = digit_of(keys[at]);
      const Place to = next[home]++;
      if (home == digit) continue;
      std::swap(keys[at], keys[to]);
      if constexpr (!std::is_empty_v<Payload>) std::swap(payloads[at], payloads[to]);
    }
  }
}

/// Whether (key, payload) comes before the other pair.
template <class Key, class Payload>
[[nodiscard]] bool is_before(Key key, Payload payload, Key other, Payload other_payload) {
  return key < other || (!std::is_empty_v<Payload> && key == other && payload < other_payload);
}

/// Returns by how much to shift so that the highest bits in which any two keys differ come first, eight of them; -1
/// where all are equal. Requires: not empty.
template <class Key>
[[nodiscard]] int varying_shift(std::span<const Key> keys) {
  Key differing = 0;
  for (const Key key : keys) differing |= key ^ keys[0];
  auto width = static_cast<int>(std::bit_width(static_cast<uint64_t>(differing)));
  if constexpr (sizeof(Key) > sizeof(uint64_t)) {
    if (const auto high = static_cast<uint64_t>(differing >> 64); high != 0)
      width = 64 + static_cast<int>(std::bit_width(high));
  }
  return width == 0 ? -1 : std::max(0, width - 8);
}

template <class Key, class Payload>
void insertion_sort(Key* keys, Payload* payloads, size_t size) {
  constexpr bool kPayloads = !std::is_empty_v<Payload>;
  const auto payload_at = [payloads](size_t i) {
    if constexpr (kPayloads) return payloads[i];
    return Payload();
  };
  for (size_t i = 1; i < size; ++i) {
    const Key key = keys[i];
    const Payload payload = payload_at(i);
    size_t at = i;
    for (; at > 0 && is_before(key, payload, keys[at - 1], payload_at(at - 1)); --at) {
      keys[at] = keys[at - 1];
      if constexpr (kPayloads) payloads[at] = payloads[at - 1];
    }
    keys[at] = key;
    if constexpr (kPayloads) payloads[at] = payload;
  }
}

template <class Key, class Payload>
void sort_by_varying_bits(Key* keys, Payload* payloads, size_t size);

/// Sorts keys, and the payloads beside them (an empty Payload has none): equal keys by their payloads. The highest bits
/// in which keys still differ are looked for and eight of them grouped by: bits that all share cost no pass.
/// Cost: up to a pass for each byte of a key, fewer where keys share bits; so deep is the recursion.
template <class Key, class Payload>
void sort_in_place(Key* keys, Payload* payloads, size_t size) {
  constexpr size_t kInsertionSort = 24;
  if (size <= kInsertionSort) return insertion_sort(keys, payloads, size);
  sort_by_varying_bits(keys, payloads, size);
}

template <class Key, class Payload>
void sort_by_varying_bits(Key* keys, Payload* payloads, size_t size) {
  constexpr bool kPayloads = !std::is_empty_v<Payload>;
  if (!kPayloads && std::is_sorted(keys, keys + size)) return;
  const int shift = varying_shift(std::span<const Key>(keys, size));
  if (shift < 0) {
    if constexpr (kPayloads) std::sort(payloads, payloads + size);
    return;
  }
  const auto digit_of = [shift](Key key) { return static_cast<size_t>(key >> shift & 0xff); };
  std::array<size_t, 256> next{}, ends{};
  for (size_t i = 0; i < size; ++i) ++ends[digit_of(keys[i])];
  size_t total = 0;
  for (size_t digit = 0; digit < 256; ++digit) {
    next[digit] = total;
    total = ends[digit] += total;
  }
  group_in_place<Key, Payload, size_t>(keys, payloads, next, ends, digit_of);
  for (size_t digit = 0, begin = 0; digit < 256; begin = ends[digit++]) {
    const size_t count = ends[digit] - begin;
    if (count > 1) sort_in_place(keys + begin, kPayloads ? payloads + begin : payloads, count);
  }
}

/// The same for keys alone. None is moved where they are sorted.
template <class Key>
void sort_in_place(Key* keys, size_t size) {
  sort_in_place(keys, static_cast<NoPayload*>(nullptr), size);
}

}  // namespace neardup
