// Features against the plainest way to make them.
#include "neardup/feature/extractor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/feature/ngrams.h"

namespace neardup::feature::extractor_test {
namespace {

float plain_weight(const FeatureSpec& spec, uint32_t tf, float idf) {
  const auto log_tf = static_cast<float>(1.0 + std::log(static_cast<double>(tf)));
  switch (spec.weight) {
    case Weight::kBinary:
      return 1;
    case Weight::kTf:
      return static_cast<float>(tf);
    case Weight::kLogTf:
      return log_tf;
    case Weight::kTfIdf:
      return static_cast<float>(tf) * idf;
    case Weight::kLogTfIdf:
      return log_tf * idf;
  }
  return 0;
}

bool heavier(const Feature& a, const Feature& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
}

std::vector<Feature> plain_features(const FeatureSpec& spec, const std::vector<uint64_t>& tokens, const Idf& idf) {
  std::map<std::vector<uint64_t>, uint32_t> counts;
  const size_t length = std::min(tokens.size(), static_cast<size_t>(spec.ngram));
  for (size_t i = 0; length > 0 && i + length <= tokens.size(); ++i) {
    ++counts[{tokens.begin() + static_cast<ptrdiff_t>(i), tokens.begin() + static_cast<ptrdiff_t>(i + length)}];
  }
  std::vector<Feature> features;
  for (const auto& [ngram, tf] : counts) {
    features.push_back({ngram_hash(ngram, spec.seed), plain_weight(spec, tf, idf.weight(ngram[0]))});
  }
  std::sort(features.begin(), features.end(), heavier);
  if (spec.top_n > 0 && features.size() > static_cast<size_t>(spec.top_n))
    features.resize(static_cast<size_t>(spec.top_n));
  return features;
}

std::vector<Feature> sorted(const FeatureSet& set) {
  std::vector<Feature> features;
  for (size_t i = 0; i < set.hashes.size(); ++i) {
    features.push_back({set.hashes[i], set.weights.empty() ? 1.0F : set.weights[i]});
  }
  std::sort(features.begin(), features.end(), heavier);
  return features;
}

std::vector<uint64_t> random_tokens(std::mt19937_64& random, size_t size, uint64_t vocabulary) {
  std::vector<uint64_t> tokens(size);
  for (uint64_t& token : tokens) token = mix64(1 + random() % vocabulary);
  return tokens;
}

std::shared_ptr<const Idf> some_idf() {
  IdfBuilder builder;
  for (uint64_t document = 1; document <= 60; ++document) {
    std::vector<uint64_t> distinct;
    for (uint64_t word = 1; word <= document; ++word) distinct.push_back(mix64(word));
    builder.add(distinct);
  }
  return builder.build();
}

TEST(Extractor, AllSpecsAgree) {
  const std::shared_ptr<const Idf> idf = some_idf();
  Extractor extractor(idf);
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::vector<uint64_t> tokens = random_tokens(random, random() % 400, 1 + random() % 90);
    for (const Weight weight : {Weight::kBinary, Weight::kTf, Weight::kLogTf, Weight::kTfIdf, Weight::kLogTfIdf}) {
      for (const int ngram : {1, 2, 3, 4, 5, 16}) {
        if (uses_idf(weight) && ngram > 1) continue;
        for (const int top_n : {0, 1, 7, 100}) {
          const FeatureSpec spec{.ngram = ngram, .weight = weight, .top_n = top_n, .seed = random() % 3};
          ASSERT_EQ(sorted(extractor.extract(spec, tokens)), plain_features(spec, tokens, *idf));
        }
      }
    }
  }
}

TEST(Extractor, FrequentTokensBeyondTheTableOfLogarithms) {
  const std::shared_ptr<const Idf> idf = some_idf();
  Extractor extractor(idf);
  for (const size_t tf : {254, 255, 256, 257, 1000}) {
    const std::vector<uint64_t> tokens(tf, mix64(3));
    for (const Weight weight : {Weight::kTf, Weight::kLogTf, Weight::kTfIdf, Weight::kLogTfIdf}) {
      const FeatureSpec spec{.weight = weight};
      ASSERT_EQ(sorted(extractor.extract(spec, tokens)), plain_features(spec, tokens, *idf));
    }
  }
}

TEST(Extractor, BinaryFeaturesCarryNoWeights) {
  Extractor extractor;
  const std::vector<uint64_t> tokens = {mix64(1), mix64(2), mix64(1), mix64(2)};
  const FeatureSet set = extractor.extract({.ngram = 2}, tokens);
  EXPECT_EQ(set.hashes.size(), 2U);
  EXPECT_TRUE(set.weights.empty());
}

TEST(Extractor, NoTokensNoFeatures) {
  Extractor extractor;
  EXPECT_TRUE(extractor.extract({.ngram = 3}, {}).hashes.empty());
  EXPECT_TRUE(extractor.extract({.weight = Weight::kTf, .top_n = 3}, {}).hashes.empty());
}

TEST(Extractor, DistinctTokens) {
  Extractor extractor;
  const std::vector<uint64_t> tokens = {5, 6, 5, 7, 6};
  const auto distinct = extractor.distinct_tokens(tokens);
  EXPECT_EQ(std::vector<uint64_t>(distinct.begin(), distinct.end()), (std::vector<uint64_t>{5, 6, 7}));
}

}  // namespace
}  // namespace neardup::feature::extractor_test
