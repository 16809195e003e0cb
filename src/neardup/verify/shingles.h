// The set of a text's n-grams as sorted 32-bit hashes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace neardup::verify {

/// What the n-grams of a set weigh, each and all: filled when it is first asked for, as most texts that are compared
/// have no partner that comes near enough. Threads: weights_of() from many at once.
struct NgramWeights {
  std::once_flag once;
  uint64_t weight = 0;           // of all n-grams, as if no other text of the pair had them
  std::vector<uint8_t> counted;  // how common each n-gram is: Commonness::count_all()
};

/// What comparing needs to know of a text.
struct ShingleSet {
  std::vector<uint32_t> hashes;           // of its n-grams: ascending, each once
  uint32_t distinct_bigrams = 0;          // counted up to kLongTextBigrams
  uint32_t num_tokens = 0;                // of the text
  std::vector<uint64_t> numbers;          // place_numbers() or collect_numbers(), where the rule looks at them
  std::vector<uint32_t> names;            // find_names() (subject.h), where the rule weighs n-grams,
  std::vector<uint64_t> turning;          // and place_turning() (turned.h)
  bool is_list = false;                   // and is_list() (lists.h)
  std::shared_ptr<NgramWeights> weights;  // for weights_of(), where the rule weighs them

  /// Memory held, this object and the weights included.
  [[nodiscard]] uint64_t size_bytes() const {
    const uint64_t of_weights = weights == nullptr ? 0 : sizeof(NgramWeights) + (hashes.size() + 1) / 2;
    return sizeof(*this) + (hashes.capacity() + names.capacity()) * sizeof(uint32_t) +
           (numbers.capacity() + turning.capacity()) * sizeof(uint64_t) + of_weights;
  }
};

/// Fills `hashes` with those of the n-grams of `tokens`, one after the other. A sequence of 1 to n - 1 tokens has one:
/// all of it. Requires: n is 3 or 5.
void hash_ngrams(std::span<const uint32_t> tokens, size_t n, std::vector<uint32_t>& hashes);

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
