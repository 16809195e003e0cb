// Kernels of the packed table: which of its words, in many short runs of them, lie within reach of a word.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace neardup::hamming {

/// Words of 24 or 32 bits, one behind the other, aligned to cache lines; at least kWordPadding bytes may be read beyond
/// the last. Ascending within each group of a table.
struct PackedWords {
  const uint8_t* bytes = nullptr;
  int width = 4;  // bytes of a word: 3 or 4

  [[nodiscard]] uint32_t operator[](uint64_t rank) const {
    uint32_t word;
    std::memcpy(&word, bytes + rank * static_cast<uint64_t>(width), sizeof word);
    return width == 4 ? word : word & 0xffffff;
  }
};
inline constexpr size_t kWordPadding = 64;

/// A run of words to be searched.
struct WordWindow {
  static constexpr uint32_t kWhole = UINT32_MAX;

  uint64_t begin = 0;  // ranks
  uint64_t end = 0;
  uint32_t group = 0;       // the (first) group that the run is
  uint32_t guess = 0;       // the bucket that is looked for stands near begin + guess; kWhole: all words are meant
  uint32_t limit = 0;       // bits in which a word may differ
  uint32_t num_groups = 1;  // that the run covers
};

/// What is looked for.
struct WordTarget {
  uint32_t word = 0;
  uint32_t low = 0;  // the least and the greatest word of its bucket
  uint32_t high = 0;
};

struct WordHit {
  uint64_t rank = 0;
  uint32_t window = 0;  // its number
  uint32_t word = 0;
};

/// Appends each word of windows[i] (of its bucket only, unless kWhole is said) that differs from target.word in at most
/// windows[i].limit bits; by i, then rank. Cost: about a cache line for each window, a vector step for each 8 words.
void scan_windows(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                  std::vector<WordHit>& hits);

/// Returns the first rank in [begin, end) whose word is >= `word`, or end; near `guess` is found soonest.
[[nodiscard]] uint64_t lower_bound_word(const PackedWords& words, uint64_t begin, uint64_t end, uint64_t guess,
                                        uint64_t word);

}  // namespace neardup::hamming
