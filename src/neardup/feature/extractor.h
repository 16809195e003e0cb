// From a document's token hashes to its weighted features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neardup/feature/distinct.h"
#include "neardup/feature/feature_spec.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/scratch.h"

namespace neardup::feature {

/// The features of one document, each once, in no particular order.
struct FeatureSet {
  std::span<const uint64_t> hashes;
  std::span<const float> weights;  // of hashes[i]; empty where all weights are 1
};

/// Makes features. Keeps its working memory: no allocation once it has grown. Threads: one object per thread.
class Extractor {
 public:
  /// `idf` may be null where no IDF weights are asked for.
  explicit Extractor(std::shared_ptr<const Idf> idf = nullptr) : idf_(std::move(idf)) {}

  /// Returns the distinct n-grams of `tokens` (token hashes in order of the text) with their weights; see ngrams.h for
  /// the hash and for texts shorter than an n-gram. Valid until the next call.
  /// Requires: fewer than 2^32 tokens; 1 <= ngram <= kMaxNgram; IDF weights only with ngram 1 and an IDF.
  [[nodiscard]] FeatureSet extract(const FeatureSpec& spec, std::span<const uint64_t> tokens);

  /// Returns each hash of `tokens` once. Valid until the next call of either function.
  [[nodiscard]] std::span<const uint64_t> distinct_tokens(std::span<const uint64_t> tokens) {
    return table_.distinct(tokens);
  }

  /// From now on less memory is taken, and more time: see DistinctTable.
  void spare_memory() { table_.spare_memory(); }

 private:
  std::span<const uint64_t> ngrams(const FeatureSpec& spec, std::span<const uint64_t> tokens);
  FeatureSet weighted(const FeatureSpec& spec, std::span<const uint64_t> tokens);
  FeatureSet heaviest(const FeatureSet& all, size_t top_n);

  std::shared_ptr<const Idf> idf_;
  DistinctTable table_;
  Scratch<uint64_t> ngrams_;
  Scratch<float> weights_;
  std::vector<Feature> ranked_;
};

}  // namespace neardup::feature
