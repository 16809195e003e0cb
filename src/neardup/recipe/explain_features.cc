// What is explained must be what was done: features, weights and their fixed point come from the same extractor as the
// fingerprint's, and the counters from the plain reference that the kernels are tested against. Only the places in the
// text are looked for here, by hashing the n-grams once more: it may be slow.
#include "neardup/recipe/explain_features.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "neardup/feature/ngrams.h"
#include "neardup/simhash/counters.h"

namespace neardup::recipe {
namespace {

struct Occurrences {
  size_t first = 0;
  uint32_t count = 0;
};

std::unordered_map<uint64_t, Occurrences> find_occurrences(const feature::FeatureSpec& spec,
                                                           std::span<const uint64_t> hashes) {
  std::vector<uint64_t> ngrams(feature::num_ngrams(hashes.size(), spec.ngram));
  feature::ngram_hashes(hashes, spec.ngram, spec.seed, ngrams.data());
  std::unordered_map<uint64_t, Occurrences> occurrences;
  for (size_t i = 0; i < ngrams.size(); ++i)
    ++occurrences.try_emplace(ngrams[i], Occurrences{i, 0}).first->second.count;
  return occurrences;
}

/// The text from the begin of one token to the end of the last of its n-gram.
std::string text_of(std::string_view normalized, std::span<const token::Token> ngram) {
  const size_t end = ngram.back().begin + size_t{ngram.back().size_bytes};
  return std::string(normalized.substr(ngram.front().begin, end - ngram.front().begin));
}

}  // namespace

ExplainedFingerprint explain_features(const feature::FeatureSpec& spec, std::string_view normalized,
                                      std::span<const token::Token> tokens, feature::Extractor& extractor) {
  std::vector<uint64_t> hashes;
  for (const token::Token& token : tokens) hashes.push_back(token.hash);
  const auto occurrences = find_occurrences(spec, hashes);
  const feature::FeatureSet set = extractor.extract(spec, hashes);
  std::vector<uint32_t> units(set.hashes.size(), 1);
  const double unit_value = set.weights.empty() ? 1.0 : simhash::to_fixed_point(set.weights, units.data());

  ExplainedFingerprint explained;
  const size_t length = std::min(tokens.size(), static_cast<size_t>(spec.ngram));
  for (size_t i = 0; i < set.hashes.size(); ++i) {
    const Occurrences& found = occurrences.at(set.hashes[i]);
    const auto ngram = tokens.subspan(found.first, length);
    explained.features.push_back(
        {set.hashes[i], units[i] * unit_value, found.count, ngram.front().begin, text_of(normalized, ngram)});
  }
  std::sort(explained.features.begin(), explained.features.end(), [](const auto& a, const auto& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return a.begin != b.begin ? a.begin < b.begin : a.hash < b.hash;
  });
  const auto counters = simhash::reference_counters(set.hashes, units);
  for (size_t i = 0; i < counters.size(); ++i) explained.counters[i] = static_cast<double>(counters[i]) * unit_value;
  explained.fingerprint = simhash::simhash_reference(set.hashes, units);
  return explained;
}

}  // namespace neardup::recipe
