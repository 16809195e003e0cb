// The members of one band's buckets, found by sorting words of half a hash and a row number.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/bands.h"

namespace neardup::join {

/// Signatures that lie somewhere: row i has num_values values.
struct SignatureSource {
  uint32_t count = 0;
  int num_values = 128;
  const uint16_t* values = nullptr;  // where all rows lie one after the other in memory: then nothing is copied
  /// Copies the rows `rows` (mostly ascending) to `values`, one after the other. Threads: many at once.
  std::function<Status(std::span<const uint32_t> rows, uint16_t* values)> read;
  /// Set where single values can be read without whole rows (disk/value_columns.h): copies value `value` of the rows
  /// from `first` on, `count` of one block of kBlockRows. Threads: many at once.
  std::function<Status(uint32_t first, uint32_t count, size_t value, uint16_t* values)> read_column = nullptr;

  /// Blocks begin at multiples of it.
  static constexpr uint32_t kBlockRows = 4096;

  /// What all rows take.
  [[nodiscard]] uint64_t size_bytes() const {
    return uint64_t{count} * static_cast<uint64_t>(num_values) * sizeof(uint16_t);
  }
};

/// Returns the source of rows that lie in memory, one after the other. They must outlive it.
[[nodiscard]] SignatureSource signatures_in_memory(std::span<const uint16_t> values, int num_values);

/// A word: the upper half of the band's hash, and the row. Sorted words have the members of a bucket side by side, in
/// ascending order; unequal values of a band share a hash with probability 2^-32, so members are compared afterwards.
[[nodiscard]] inline uint32_t hash_of_word(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
[[nodiscard]] inline uint32_t row_of_word(uint64_t word) { return static_cast<uint32_t>(word); }

/// Returns a well-mixed 64-bit hash of the values of `row` in `band`.
[[nodiscard]] uint64_t band_hash(const uint16_t* row, std::span<const uint16_t> band);

/// Which of the rows: those whose hash falls into part `part` of `num_parts`, and that are their own leaders where
/// `leaders` is not empty (see banding.h).
struct RowChoice {
  uint32_t part = 0;
  uint32_t num_parts = 1;
  std::span<const uint32_t> leaders = {};
};

/// Writes to `words` those of all chosen rows that share their hash with another one, sorted.
/// Memory: 8 bytes for each chosen row, and a buffer of rows. Errors: kCancelled, what the source returns.
[[nodiscard]] Status find_bucket_words(const SignatureSource& signatures, std::span<const uint16_t> band,
                                       const RowChoice& choice, const Context& context, std::vector<uint64_t>& words);

/// Calls use(span of words) for each run of words with the same hash, in order. Errors: what it returns.
template <class Use>
[[nodiscard]] Status for_each_run(std::span<const uint64_t> words, const Use& use) {
  for (size_t begin = 0; begin < words.size();) {
    size_t end = begin + 1;
    while (end < words.size() && hash_of_word(words[end]) == hash_of_word(words[begin])) ++end;
    NEARDUP_TRY(use(words.subspan(begin, end - begin)));
    begin = end;
  }
  return {};
}

}  // namespace neardup::join
