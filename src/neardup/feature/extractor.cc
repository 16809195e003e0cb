// From token hashes to weighted features; no strings. Weights are floats that every machine computes alike: logarithms
// come from double, rounded once. Where all features weigh the same none is counted, only each kept once. Buffers stay
// from text to text.
#include "neardup/feature/extractor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "neardup/feature/ngrams.h"

namespace neardup::feature {
namespace {

// Computed in double and rounded once, so that libraries that differ in the last bit of ln() still agree.
float log_tf(uint32_t tf) { return static_cast<float>(1.0 + std::log(static_cast<double>(tf))); }

const std::array<float, 256>& log_tf_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (uint32_t tf = 1; tf < values.size(); ++tf) values[tf] = log_tf(tf);
    return values;
  }();
  return table;
}

void weigh_by_tf(Weight weight, std::span<const uint32_t> counts, float* out) {
  if (weight == Weight::kBinary) {
    std::fill_n(out, counts.size(), 1.0F);
  } else if (weight == Weight::kTf || weight == Weight::kTfIdf) {
    std::transform(counts.begin(), counts.end(), out, [](uint32_t tf) { return static_cast<float>(tf); });
  } else {
    const std::array<float, 256>& table = log_tf_table();
    std::transform(counts.begin(), counts.end(), out,
                   [&table](uint32_t tf) { return tf < table.size() ? table[tf] : log_tf(tf); });
  }
}

bool is_heavier(const Feature& a, const Feature& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
}

}  // namespace

std::span<const uint64_t> Extractor::ngrams(const FeatureSpec& spec, std::span<const uint64_t> tokens) {
  const size_t count = num_ngrams(tokens.size(), spec.ngram);
  uint64_t* const out = ngrams_.reserve(count);
  ngram_hashes(tokens, spec.ngram, spec.seed, out);
  return {out, count};
}

FeatureSet Extractor::weighted(const FeatureSpec& spec, std::span<const uint64_t> tokens) {
  // A unigram's hash is a permutation of its token's: count tokens, which the dictionary knows, and hash them after.
  const bool unigrams = spec.ngram == 1;
  const Counted counted = table_.count(unigrams ? tokens : ngrams(spec, tokens));
  const size_t size = counted.hashes.size();
  float* const weights = weights_.reserve(size);
  weigh_by_tf(spec.weight, counted.counts, weights);
  if (uses_idf(spec.weight)) idf_->multiply_weights(counted.hashes, {weights, size});
  if (!unigrams) return {counted.hashes, {weights, size}};
  uint64_t* const hashes = ngrams_.reserve(size);
  ngram_hashes(counted.hashes, 1, spec.seed, hashes);
  return {{hashes, size}, {weights, size}};
}

FeatureSet Extractor::heaviest(const FeatureSet& all, size_t top_n) {
  if (all.hashes.size() <= top_n) return all;
  ranked_.resize(all.hashes.size());
  for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i] = {all.hashes[i], all.weights[i]};
  std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<ptrdiff_t>(top_n), ranked_.end(), is_heavier);
  uint64_t* const hashes = ngrams_.reserve(top_n);
  float* const weights = weights_.reserve(top_n);
  for (size_t i = 0; i < top_n; ++i) {
    hashes[i] = ranked_[i].hash;
    weights[i] = ranked_[i].weight;
  }
  return {{hashes, top_n}, {weights, top_n}};
}

FeatureSet Extractor::extract(const FeatureSpec& spec, std::span<const uint64_t> tokens) {
  if (spec.top_n > 0) return heaviest(weighted(spec, tokens), static_cast<size_t>(spec.top_n));
  if (spec.weight == Weight::kBinary) return {table_.distinct(ngrams(spec, tokens)), {}};
  return weighted(spec, tokens);
}

}  // namespace neardup::feature
