// Short texts: their signatures of characters, and their comparison.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/documents.h"
#include "neardup/join/band_words.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::engine {

/// How signatures of short texts are made and cut, whatever the recipe's family: from kShortTextSimilarity on fewer
/// than one pair in 10,000 meets in no band.
[[nodiscard]] recipe::MinHashSpec short_text_spec();

/// How many values two of them must have in common to be compared.
[[nodiscard]] int short_text_bound();

/// Returns the signature of what recipe::short_text_features() has made of a text. Requires: it is not empty.
[[nodiscard]] std::vector<uint16_t> short_text_signature(std::span<const uint32_t> features);

/// What the short texts among the preferred documents of groups have been made into (recipe::short_text_features()).
/// Threads: all const members from many at once.
class ShortTexts {
 public:
  /// Takes those of `active` (ascending groups) that are short; both references must outlive it.
  ShortTexts(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active);
  /// Reads all features where they take at most `memory_bytes`; else each is read when it is needed.
  [[nodiscard]] Status load(uint64_t memory_bytes);

  /// The groups of the short texts, ascending.
  [[nodiscard]] std::span<const uint32_t> groups() const { return short_; }
  /// Whether the preferred document of an active group is short.
  [[nodiscard]] bool contains(uint32_t group) const { return (bits_[group / 64] >> group % 64 & 1) != 0; }
  /// Signatures of the character n-grams, a row for each of groups(), made when they are read: about 1 us each.
  [[nodiscard]] join::SignatureSource signatures() const;
  /// Compares two short texts by their characters (verify::compare_short_texts()). Requires: contains(a), contains(b).
  /// Errors: kIo, kCorruption.
  [[nodiscard]] Result<verify::Verdict> compare(const verify::Rule& rule, uint32_t a, uint32_t b, bool exactly) const;

 private:
  // Returns the features of short_[place]: held in memory, or read to `buffer`.
  Result<std::span<const uint32_t>> features(size_t place, std::vector<uint32_t>& buffer) const;
  [[nodiscard]] size_t place_of(uint32_t group) const {
    const uint64_t before = bits_[group / 64] & ((uint64_t{1} << group % 64) - 1);
    return places_[group / 64] + static_cast<size_t>(std::popcount(before));
  }

  const Documents& documents_;
  const ExactGroups& groups_;
  std::vector<uint32_t> short_;
  std::vector<uint64_t> bits_;      // of each group whether it is in short_: few bytes, as each pair asks
  std::vector<uint32_t> places_;    // in short_, of the first group of each word of bits_
  std::vector<uint32_t> features_;  // of all, one after the other; empty where they are not held
  std::vector<uint64_t> begins_;    // of each in features_, and the end
};

/// Returns the signatures of all short texts, which must outlive it. `rule`: Decision::band_rule() of kCharacters.
[[nodiscard]] SignatureLayer short_text_layer(const ShortTexts& texts, const BandRule& rule);

}  // namespace neardup::engine
