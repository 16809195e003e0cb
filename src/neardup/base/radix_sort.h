// Sorting words that share most of their bits, through a copy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace neardup {

/// The bits in which any of `words` differ. Requires: not empty.
template <class Word>
[[nodiscard]] Word varying_bits(std::span<const Word> words) {
  Word varying = 0;
  for (const Word word : words) varying |= word ^ words.front();
  return varying;
}

/// Sorts `from` by the digit of kRadixBits bits at `shift` into `to`, equal digits in the order in which they stand.
inline constexpr int kRadixBits = 11;
template <class Word>
void sort_by_digit(std::span<const Word> from, std::span<Word> to, int shift) {
  constexpr Word kMask = (Word{1} << kRadixBits) - 1;
  std::array<uint32_t, kMask + 1> places{};
  for (const Word word : from) ++places[word >> shift & kMask];
  uint32_t place = 0;
  for (uint32_t& count : places) {
    const uint32_t begin = place;
    place += count;
    count = begin;
  }
  for (const Word word : from) to[places[word >> shift & kMask]++] = word;
}

/// Sorts `words` ascending. `scratch` grows to their number. Requires: fewer than 2^32.
/// Cost: two passes for each kRadixBits bits that vary, no branches on the data.
template <class Word>
void radix_sort(std::span<Word> words, std::vector<Word>& scratch) {
  if (words.empty()) return;
  if (scratch.size() < words.size()) scratch.resize(words.size());
  std::span<Word> from = words, to = std::span(scratch).first(words.size());
  Word varying = varying_bits(std::span<const Word>(words));
  while (varying != 0) {
    const int shift = std::countr_zero(varying);
    sort_by_digit(std::span<const Word>(from), to, shift);
    std::swap(from, to);
    varying =
        shift + kRadixBits < std::countl_zero(Word{0}) ? varying >> (shift + kRadixBits) << (shift + kRadixBits) : 0;
  }
  if (from.data() != words.data()) std::ranges::copy(from, words.begin());
}

}  // namespace neardup
