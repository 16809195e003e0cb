// The rule for source code: what of it stays when names, literals, comments and layout change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/rule.h"
#include "neardup/verify/shingles.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// A text's set holds the n-grams of kCodeGram and of kLongCodeGram tokens, and those of kBlindGram tokens of which
/// names, numbers and strings are blinded (token::blinded()): the former tell what a program talks about, the latter
/// how it goes, and a copy keeps enough of all together. Where a corpus is known, n-grams that many texts of it have do
/// not count (common_code.h). docs/design/code.md has the alternatives.
inline constexpr int kCodeGram = 2, kLongCodeGram = 4, kBlindGram = 8;

/// Texts with fewer distinct n-grams of kCodeGram tokens are short: they share more by chance, and must share more.
inline constexpr uint32_t kLongCodeBigrams = 30;
inline constexpr double kShortCodeThreshold = 0.50;

/// Returns the similarity from which on texts are accepted, of which the one with fewer has `distinct_bigrams` distinct
/// n-grams of kCodeGram tokens.
[[nodiscard]] inline double code_threshold(const Rule& rule, size_t distinct_bigrams) {
  return distinct_bigrams >= kLongCodeBigrams ? rule.least_code : std::max(rule.least_code, kShortCodeThreshold);
}

/// Returns the set of `tokens`, token::marked_code_hash() of each. A sequence shorter than kCodeGram has one n-gram,
/// all of it; one shorter than kBlindGram has none that is blinded. Cost: about 10 ns a token.
[[nodiscard]] ShingleSet make_code_set(std::span<const uint32_t> tokens);

/// The definition: Verdict and similarity by sets of whole n-grams. Slow (microseconds a token).
[[nodiscard]] Verdict compare_code(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

/// Returns the similarity from which on two such texts are accepted. As slow.
[[nodiscard]] double asked_code_similarity(const Rule& rule, const std::vector<uint32_t>& a,
                                           const std::vector<uint32_t>& b);

}  // namespace neardup::verify
