// Sorting a few thousand 64-bit words that share most of their bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::cluster {

/// The bits in which any of `words` differ. Requires: not empty.
inline uint64_t varying_bits(std::span<const uint64_t> words) {
  uint64_t varying = 0;
  for (const uint64_t word : words) varying |= word ^ words.front();
  return varying;
}

/// Sorts `from` by the digit of kDigitBits bits at `shift` into `to`, equal digits in the order in which they stand.
inline constexpr int kDigitBits = 11;
inline void sort_by_digit(std::span<const uint64_t> from, std::span<uint64_t> to, int shift) {
  constexpr uint64_t kMask = (uint64_t{1} << kDigitBits) - 1;
  std::array<uint32_t, kMask + 1> places{};
  for (const uint64_t word : from) ++places[word >> shift & kMask];
  uint32_t place = 0;
  for (uint32_t& count : places) {
    const uint32_t begin = place;
    place += count;
    count = begin;
  }
  for (const uint64_t word : from) to[places[word >> shift & kMask]++] = word;
}

/// Sorts `words` ascending. `scratch` grows to their number. Requires: fewer than 2^32.
/// Cost: two passes for each kDigitBits bits that vary, no branches on the data.
inline void radix_sort(std::span<uint64_t> words, std::vector<uint64_t>& scratch) {
  if (words.empty()) return;
  if (scratch.size() < words.size()) scratch.resize(words.size());
  std::span<uint64_t> from = words, to = std::span(scratch).first(words.size());
  uint64_t varying = varying_bits(words);
  while (varying != 0) {
    const int shift = std::countr_zero(varying);
    sort_by_digit(from, to, shift);
    std::swap(from, to);
    varying = shift + kDigitBits < 64 ? varying >> (shift + kDigitBits) << (shift + kDigitBits) : 0;
  }
  if (from.data() != words.data()) std::ranges::copy(from, words.begin());
}

}  // namespace neardup::cluster
