// Bands: which values of a signature must agree for two documents to be candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::join {

/// A band is a list of value numbers, in any order. Two signatures meet in it where they agree in all of them.
/// See: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4.
using Band = std::vector<uint16_t>;

/// Returns `num_bands` bands of `rows` values each. The first num_values / rows of them share no value: {0, 1, 2, 3},
/// {4, 5, 6, 7}, ... The next as many take the values in another arrangement, {b, b + c, b + 2c, ...} with c =
/// num_values / rows, and so on: two bands of different arrangements share few values.
/// Errors: kInvalidArgument where rows is not in 1..num_values, or num_bands not in 1..most_bands().
[[nodiscard]] Result<std::vector<Band>> make_bands(int num_values, int num_bands, int rows);
/// Returns how many different bands make_bands() can make. Requires: 1 <= rows <= num_values.
[[nodiscard]] constexpr int most_bands(int num_values, int rows) { return (num_values / rows) * (num_values / rows); }

/// Returns the probability that two signatures with Jaccard similarity `jaccard` meet in one of `num_bands` bands of
/// `rows` values that share none: 1 - (1 - J^r)^b.
[[nodiscard]] double meeting_probability(double jaccard, int num_bands, int rows);

/// Returns the greatest count c with P(Binomial(num_values, jaccard) < c) <= loss: who demands c equal values of
/// signatures loses at most that share of the pairs with this similarity.
[[nodiscard]] int equal_values_bound(int num_values, double jaccard, double loss);

/// A set of value numbers, one bit each; only the words that hold any.
class ValueMask {
 public:
  explicit ValueMask(const Band& band);
  /// Returns whether all of them are set in `equal`, the mask that fingerprint::equal_values() writes.
  [[nodiscard]] bool within(const uint64_t* equal) const {
    for (const Word& word : words_)
      if ((equal[word.index] & word.bits) != word.bits) return false;
    return true;
  }

 private:
  struct Word {
    uint32_t index;
    uint64_t bits;
  };
  std::vector<Word> words_;
};

}  // namespace neardup::join
