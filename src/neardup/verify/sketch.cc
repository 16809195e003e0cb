#include "neardup/verify/sketch.h"

#include <algorithm>
#include <cmath>

#include "neardup/fingerprint/signature.h"
#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

constexpr double kEditTokens = 5;

/// The share of grams in common to sets of one size, and back.
double share_of(double jaccard) { return 2 * jaccard / (1 + jaccard); }
double jaccard_of(double share) { return share / (2 - share); }

/// Returns the similarity of m-grams that goes with `jaccard` of n-grams.
double of_other_length(double jaccard, int n, int m) {
  if (n == m) return jaccard;
  return jaccard_of(std::pow(share_of(jaccard), (m + kEditTokens - 1) / (n + kEditTokens - 1)));
}

uint32_t bigrams_of(uint64_t num_tokens) {
  constexpr uint32_t kLong = std::max(kLongTextBigrams, kLongCodeBigrams);
  if (num_tokens == 0) return kLong;
  return static_cast<uint32_t>(std::min<uint64_t>(num_tokens - 1, kLong));
}

}  // namespace

SketchVerdict judge_sketch(const Rule& rule, const SketchEvidence& evidence) {
  const int n = evidence.ngram, m = ngram_size(rule);
  const double signed_grams = fingerprint::estimated_jaccard(evidence.num_equal, evidence.num_values);
  const double error = fingerprint::jaccard_error(signed_grams, evidence.num_values);
  const double similarity = of_other_length(signed_grams, n, m);
  // The error of the function: its slope across one error to each side.
  const double low = std::max(0.0, signed_grams - error), high = std::min(1.0, signed_grams + error);
  const double slope = high > low ? (of_other_length(high, n, m) - of_other_length(low, n, m)) / (high - low) : 1;
  return {.verdict = {.similar = similarity >= threshold_of(rule, bigrams_of(evidence.smaller_tokens)),
                      .exact = false,
                      .similarity = static_cast<float>(similarity)},
          .standard_error = static_cast<float>(slope * error)};
}

size_t least_equal(const Rule& rule, size_t num_values, int ngram) {
  size_t equal = 0;
  while (equal <= num_values &&
         !judge_sketch(rule, {.num_equal = equal, .num_values = num_values, .ngram = ngram}).verdict.similar) {
    ++equal;
  }
  return equal;
}

}  // namespace neardup::verify
