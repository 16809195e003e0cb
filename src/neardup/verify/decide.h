// The arithmetic of the rules: which n, which threshold, and how many common n-grams it takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "neardup/verify/code_rule.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/rule.h"

namespace neardup::verify {

/// Texts with at least this many distinct 2-grams are long for the rule origin; counting stops there.
inline constexpr uint32_t kLongTextBigrams = 50;

/// Returns the n of the n-grams that `rule` looks at; of kCode those that are not blinded.
[[nodiscard]] inline int ngram_size(const Rule& rule) {
  if (rule.kind == Rule::Kind::kCode) return kCodeGram;
  return rule.kind == Rule::Kind::kJaccard ? 5 : 3;
}

/// Returns the Jaccard similarity from which on `rule` may accept, but for the second look of kContent; 0 for kNone.
/// `distinct_bigrams` is that of the text with fewer.
[[nodiscard]] inline double threshold_of(const Rule& rule, uint32_t distinct_bigrams) {
  if (rule.kind == Rule::Kind::kNone) return 0;
  if (rule.kind == Rule::Kind::kJaccard) return rule.threshold;
  if (rule.kind == Rule::Kind::kContent) return kContentJaccard;
  if (rule.kind == Rule::Kind::kCode) return code_threshold(rule, distinct_bigrams);
  return distinct_bigrams >= kLongTextBigrams ? 0.40 : 0.55;
}

/// Returns the lowest Jaccard similarity at which `rule` may accept, whatever the texts.
[[nodiscard]] inline double lowest_threshold(const Rule& rule) {
  return rule.kind == Rule::Kind::kContent ? kAlmostSimilar : threshold_of(rule, UINT32_MAX);
}

/// Returns the Jaccard similarity of sets of `a` and `b` elements with `common` common ones; 0 where both are empty.
[[nodiscard]] inline double jaccard(size_t a, size_t b, size_t common) {
  const size_t united = a + b - common;
  return united == 0 ? 0 : static_cast<double>(common) / static_cast<double>(united);
}

/// Returns the smallest number of common elements whose jaccard() reaches `threshold`; more than min(a, b) where none
/// does. The quotient itself is compared, so that no rounding makes this and the definition differ.
[[nodiscard]] size_t needed_common(size_t a, size_t b, double threshold);

}  // namespace neardup::verify
