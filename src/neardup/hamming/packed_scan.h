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
    const uint8_t* at = bytes + rank * static_cast<uint64_t>(width);
    if (width == 4) return number_at<uint32_t>(at);
    return number_at<uint16_t>(at) | uint32_t{at[2]} << 16;  // and no byte beyond: it may be in a line not fetched
  }

 private:
  template <class T>
  static T number_at(const uint8_t* at) {
    T number;
    std::memcpy(&number, at, sizeof number);
    return number;
  }
};
inline constexpr size_t kWordPadding = 64;

/// A run of words to be searched: ranks [begin, end). The bucket looked for mostly has the ranks low..high, low <=
/// high; they are of no meaning where all words are meant.
struct WordWindow {
  uint64_t begin;
  uint64_t end;
  uint64_t low;
  uint64_t high;
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

/// Appends each word in the bucket of `target` (low..high) within windows[i] that differs from target.word in at most
/// `limit` bits, maybe others of the window within the limit too; by i, then rank. `window` of a hit is
/// first_number + i. Cost: about one cache line for each window.
void scan_buckets_near(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                       int limit, uint32_t first_number, std::vector<WordHit>& hits);

/// The same for all words of the windows. Cost: a vector step for each 8 words.
void scan_runs(const PackedWords& words, uint32_t word, std::span<const WordWindow> windows, int limit,
               uint32_t first_number, std::vector<WordHit>& hits);

/// Appends each word of [begin, end) that equals `word` in the bits of `mask`, by rank. Cost: as scan_runs().
void scan_equal(const PackedWords& words, uint32_t word, uint32_t mask, uint64_t begin, uint64_t end,
                std::vector<WordHit>& hits);

/// Returns the first rank in [begin, end) whose word is >= `word`, or end; near `guess` is found soonest.
[[nodiscard]] uint64_t lower_bound_word(const PackedWords& words, uint64_t begin, uint64_t end, uint64_t guess,
                                        uint64_t word);

}  // namespace neardup::hamming
