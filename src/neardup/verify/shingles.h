// The set of a text's n-grams as sorted 32-bit hashes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::verify {

/// What comparing needs to know of a text.
struct ShingleSet {
  std::vector<uint32_t> hashes;   // of its n-grams: ascending, each once
  uint32_t distinct_bigrams = 0;  // counted up to kLongTextBigrams
  uint64_t weight = 0;            // of all n-grams: weigh_ngrams(), where the rule weighs them
  std::vector<uint64_t> numbers;  // place_numbers() or collect_numbers(), where the rule looks at them

  /// Memory held, this object included.
  [[nodiscard]] uint64_t size_bytes() const {
    return sizeof(*this) + hashes.capacity() * sizeof(uint32_t) + numbers.capacity() * sizeof(uint64_t);
  }
};

/// Returns the set of n-grams of `tokens`, without numbers. A sequence of 1 to n - 1 tokens has one n-gram: all of it.
/// Requires: n is 3 or 5. Cost: about 4 ns a token.
[[nodiscard]] ShingleSet make_shingle_set(std::span<const uint32_t> tokens, int n);

/// Returns the set of the n-grams with `hashes`, in any order and repeated ones included, of a text of these `tokens`;
/// bigrams are counted up to `most_bigrams`. `hashes` is left with any contents, and no more than 1 MB of memory.
[[nodiscard]] ShingleSet take_shingle_set(std::vector<uint32_t>& hashes, std::span<const uint32_t> tokens,
                                          uint32_t most_bigrams);

/// Returns what make_shingle_set(tokens, 3) holds for the sequence `ngram` of 3 tokens, or of a text of fewer.
[[nodiscard]] uint32_t hash_of_ngram(std::span<const uint32_t> ngram);

/// Returns the number of distinct pairs of neighbours in `tokens`, but at most `limit`. Requires: limit <= 128.
/// One token alone counts as one pair.
[[nodiscard]] uint32_t count_distinct_bigrams(std::span<const uint32_t> tokens, uint32_t limit);

}  // namespace neardup::verify
