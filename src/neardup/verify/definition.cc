// The definition of the rules, as plainly as it can be said; the fast path is tested against it.
#include <algorithm>
#include <set>

#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

using Ngrams = std::set<std::vector<uint32_t>>;

Ngrams ngrams_of(const std::vector<uint32_t>& tokens, size_t n) {
  if (tokens.empty()) return {};
  if (tokens.size() < n) return {tokens};
  Ngrams ngrams;
  for (size_t i = 0; i + n <= tokens.size(); ++i) ngrams.emplace(tokens.begin() + i, tokens.begin() + i + n);
  return ngrams;
}

}  // namespace

Verdict compare_tokens(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const auto n = static_cast<size_t>(ngram_size(rule));
  const Ngrams in_a = ngrams_of(a, n), in_b = ngrams_of(b, n);
  const auto common = static_cast<size_t>(
      std::count_if(in_a.begin(), in_a.end(), [&](const auto& ngram) { return in_b.contains(ngram); }));
  const double similarity = jaccard(in_a.size(), in_b.size(), common);
  const size_t bigrams = std::min(ngrams_of(a, 2).size(), ngrams_of(b, 2).size());
  const double threshold = threshold_of(rule, static_cast<uint32_t>(bigrams));
  return {.similar = similarity >= threshold, .similarity = static_cast<float>(similarity)};
}

}  // namespace neardup::verify
