// A feature, and how features are made.
#pragma once

#include <cstdint>

namespace neardup::feature {

/// What a feature's vote counts. tf = how often it occurs in the document.
enum class Weight {
  kBinary,    // 1
  kTf,        // tf
  kLogTf,     // 1 + ln(tf)
  kTfIdf,     // tf * idf
  kLogTfIdf,  // (1 + ln(tf)) * idf
};

[[nodiscard]] constexpr bool uses_idf(Weight weight) { return weight == Weight::kTfIdf || weight == Weight::kLogTfIdf; }

inline constexpr int kMaxNgram = 16;

/// How a document's features are made from its tokens.
struct FeatureSpec {
  int ngram = 1;                    // tokens in a feature, 1..kMaxNgram
  Weight weight = Weight::kBinary;  // IDF kinds only with ngram 1
  int top_n = 0;                    // only the N heaviest features take part, ties by smaller hash; 0 = all
  uint64_t seed = 0;                // mixed into every feature hash
  bool operator==(const FeatureSpec&) const = default;
};

/// A feature (a token or an n-gram of tokens) of one document.
struct Feature {
  uint64_t hash = 0;  // well mixed; its bits vote in the SimHash
  float weight = 1;   // > 0
  bool operator==(const Feature&) const = default;
};

}  // namespace neardup::feature
