// Sorting words that share most of their bits, through a copy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Sorts `from` by the digit of kRadixBits bits at `shift` of word_of(item) into `to`, equal digits in the order in
/// which they stand. Requires: fewer than 2^32.
inline constexpr int kRadixBits = 11;
template <class Item, class WordOf = std::identity>
void sort_by_digit(std::span<const Item> from, std::span<Item> to, int shift, const WordOf& word_of = {}) {
  constexpr size_t kDigits = size_t{1} << kRadixBits;
  std::array<uint32_t, kDigits> places{};
  for (const Item& item : from) ++places[word_of(item) >> shift & (kDigits - 1)];
  uint32_t place = 0;
  for (uint32_t& count : places) {
    const uint32_t begin = place;
    place += count;
    count = begin;
  }
  for (const Item& item : from) to[places[word_of(item) >> shift & (kDigits - 1)]++] = item;
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
