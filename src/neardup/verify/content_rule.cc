#include "neardup/verify/content_rule.h"

#include <algorithm>
#include <map>
#include <set>

#include "neardup/token/numbers.h"
#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

uint32_t weight_of(const Commonness* common, uint32_t hash, uint32_t own) {
  return kCommonWeights[common == nullptr ? 0 : common->others(hash, own)];
}

Verdict verdict_of(double jaccard, double similarity) {
  return {.similar = jaccard >= kContentJaccard && similarity >= kContentThreshold,
          .similarity = static_cast<float>(similarity)};
}

}  // namespace

double content_similarity(const CommonSums& sums, const NumberCounts& numbers) {
  const uint64_t all = sums.both + sums.one;
  if (all == 0) return 0;
  const double share = static_cast<double>(sums.both) / static_cast<double>(all);
  if (numbers.fewer == 0) return share;
  const double other = 1 - static_cast<double>(numbers.common) / static_cast<double>(numbers.fewer);
  return share * (1 - kNumbersWeight * other);
}

CommonSums sum_weights(std::span<const uint32_t> a, std::span<const uint32_t> b, const Commonness* common) {
  CommonSums sums;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      sums.both += weight_of(common, a[i++], 2);
      ++j;
    } else {
      sums.one += weight_of(common, a[i] < b[j] ? a[i++] : b[j++], 1);
    }
  }
  for (; i < a.size(); ++i) sums.one += weight_of(common, a[i], 1);
  for (; j < b.size(); ++j) sums.one += weight_of(common, b[j], 1);
  return sums;
}

void collect_numbers(std::span<const uint32_t> tokens, std::vector<uint64_t>& numbers) {
  numbers.clear();
  std::ranges::copy_if(tokens, std::back_inserter(numbers), token::is_marked_number);
  std::ranges::sort(numbers);
  numbers.shrink_to_fit();
}

NumberCounts count_numbers(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  NumberCounts counts{.fewer = std::min(a.size(), b.size())};
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    counts.common += a[i] == b[j];
    const bool next_a = a[i] <= b[j], next_b = b[j] <= a[i];
    i += next_a;
    j += next_b;
  }
  return counts;
}

Verdict compare_content(const ShingleSet& a, const ShingleSet& b, size_t num_common, const Commonness* common) {
  const CommonSums sums = sum_weights(a.hashes, b.hashes, common);
  return verdict_of(jaccard(a.hashes.size(), b.hashes.size(), num_common),
                    content_similarity(sums, count_numbers(a.numbers, b.numbers)));
}

Verdict compare_content_tokens(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                               const Commonness* common) {
  using Ngrams = std::set<std::vector<uint32_t>>;
  const auto ngrams_of = [](const std::vector<uint32_t>& tokens) {
    Ngrams ngrams;
    if (!tokens.empty() && tokens.size() < 3) ngrams.insert(tokens);
    for (size_t i = 0; i + 3 <= tokens.size(); ++i) ngrams.emplace(tokens.begin() + i, tokens.begin() + i + 3);
    return ngrams;
  };
  const Ngrams in_a = ngrams_of(a), in_b = ngrams_of(b);
  if (in_a.empty() || in_b.empty()) return {};
  Ngrams all = in_a;
  all.insert(in_b.begin(), in_b.end());
  CommonSums sums;
  size_t num_common = 0;
  for (const std::vector<uint32_t>& ngram : all) {
    const bool in_both = in_a.contains(ngram) && in_b.contains(ngram);
    num_common += in_both;
    (in_both ? sums.both : sums.one) += weight_of(common, hash_of_ngram(ngram), in_both ? 2 : 1);
  }
  std::map<uint32_t, uint64_t> numbers_a, numbers_b;
  NumberCounts numbers;
  for (const uint32_t token : a) numbers_a[token] += token::is_marked_number(token);
  for (const uint32_t token : b) numbers_b[token] += token::is_marked_number(token);
  uint64_t count_a = 0, count_b = 0;
  for (const auto& [number, count] : numbers_a) {
    count_a += count;
    if (numbers_b.contains(number)) numbers.common += std::min(count, numbers_b.at(number));
  }
  for (const auto& [number, count] : numbers_b) count_b += count;
  numbers.fewer = std::min(count_a, count_b);
  return verdict_of(jaccard(in_a.size(), in_b.size(), num_common), content_similarity(sums, numbers));
}

}  // namespace neardup::verify
