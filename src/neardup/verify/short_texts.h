// Are two short texts one? By their characters, for an edit of one word leaves few common word n-grams.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// From this Jaccard similarity of character n-grams on, two short texts with the same digits are similar.
inline constexpr double kShortTextSimilarity = 0.7;

/// Why two short texts of whatever similarity are different ones; of several reasons the first.
enum class ShortDifference {
  kNone,
  kDigits,    // not the same digits in the same order
  kMarks,     // kContent: other signs, negations or Roman numerals
  kPictures,  // kContent: both have emoji or smileys, and not the same ones
  kWords,     // kContent: they differ in a word of meaning: are_other_words()
};

/// Compares what recipe::short_text_features() has made of two texts. Of `rule` the kind counts.
[[nodiscard]] ShortDifference short_difference(const Rule& rule, std::span<const uint32_t> a,
                                               std::span<const uint32_t> b);

/// Compares likewise. Texts with a short_difference() are not similar, whatever `similarity` is; neither are texts
/// without features. Unless `exactly`, `similarity` of a pair that is not similar may be a bound (Verdict::exact), and
/// most of them are told by a few numbers. Cost: linear in their sizes.
[[nodiscard]] Verdict compare_short_texts(const Rule& rule, std::span<const uint32_t> a, std::span<const uint32_t> b,
                                          bool exactly = true);

}  // namespace neardup::verify
