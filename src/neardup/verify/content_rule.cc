// The rule in one sentence and what was tried instead: docs/design/content.md. Here: weights are integers, so a sum is
// the same in any order and for any number of threads, and the same on every machine.
// An n-gram is weighed by how many *other* texts have it. The counts of the corpus include the two that are compared:
// one of them where only one has it, both where both have. So the weight of a common n-gram differs from what each set
// summed up alone, and what is left of a set is its sum less the common ones as it had counted them.
#include "neardup/verify/content_rule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

#include "neardup/token/numbers.h"
#include "neardup/verify/bridges.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/lists.h"
#include "neardup/verify/subject.h"
#include "neardup/verify/turned.h"

namespace neardup::verify {
namespace {

// What n-grams weigh that are counted so often, `own` of them in the texts that are compared.
using WeightByCount = std::array<uint32_t, Commonness::kMost + 1>;

WeightByCount weight_by_count(const Commonness* common, uint32_t own) {
  WeightByCount weights;
  for (uint32_t counted = 0; counted < weights.size(); ++counted)
    weights[counted] = kCommonWeights[common == nullptr ? 0 : common->others(counted, own)];
  return weights;
}

// Of an n-gram of a set: where nothing is known of the corpus, none is counted.
uint32_t counted_at(const std::vector<uint8_t>& counted, size_t place) {
  return counted.empty() ? 0 : counted[place / 2] >> (place % 2 * 4) & Commonness::kMost;
}

uint64_t weigh(const std::vector<uint8_t>& counted, size_t size, const WeightByCount& weights) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += weights[counted_at(counted, i)];
  return sum;
}

// Texts of which one is mostly its own are no copies that differ in single words.
bool is_almost(const CommonSums& sums, double similarity, double jaccard) {
  const auto own = static_cast<double>(std::max(sums.only_a, sums.only_b)), both = static_cast<double>(sums.both);
  return std::min(jaccard, similarity) >= kAlmostSimilar && both >= kAlmostCommon * (both + own);
}

}  // namespace

double content_similarity(const CommonSums& sums, const NumberCounts& numbers, double jaccard) {
  if (sums.all() == 0) return 0;
  const double share = static_cast<double>(sums.both) / static_cast<double>(sums.all());
  return left_by_numbers(numbers) * std::max(share, whole_similarity(sums, jaccard));
}

double whole_similarity(const CommonSums& sums, double jaccard) {
  const double own = static_cast<double>(std::max(sums.only_a, sums.only_b)) / kCommonWeights[0];
  return std::max(0.0, 2 * jaccard - 1) * std::max(0.0, 1 - own / kMostOwn);
}

double left_by_numbers(const NumberCounts& numbers) {
  if (numbers.fewer == 0) return 1;
  return 1 - kNumbersWeight * (1 - static_cast<double>(numbers.common) / static_cast<double>(numbers.fewer));
}

uint32_t weight_of(uint32_t hash, uint32_t own, const Commonness* common) {
  return kCommonWeights[common == nullptr ? 0 : common->others(common->counted(hash), own)];
}

ContentVerdict verdict_of(const CommonSums& sums, const NumberCounts& numbers, double jaccard) {
  const double similarity = content_similarity(sums, numbers, jaccard);
  const bool similar = jaccard >= kContentJaccard && similarity >= kContentThreshold;
  const bool any_counts = similar && left_by_numbers(numbers) * whole_similarity(sums, jaccard) >= kContentThreshold;
  return {.verdict = {.similar = similar, .similarity = static_cast<float>(similarity), .any_counts = any_counts},
          .is_almost = !similar && is_almost(sums, similarity, jaccard)};
}

const NgramWeights& weights_of(const ShingleSet& set, const Commonness* common) {
  NgramWeights& weights = *set.weights;
  // Most texts have no partner that comes near enough, and never need weights; the others need them for many pairs.
  std::call_once(weights.once, [&] {
    if (common != nullptr) common->count_all(set.hashes, weights.counted);
    weights.weight = weigh(weights.counted, set.hashes.size(), weight_by_count(common, 1));
  });
  return weights;
}

CommonSums sum_weights(const ShingleSet& a, const ShingleSet& b, std::span<const uint32_t> both,
                       const Commonness* common) {
  const NgramWeights &weights_a = weights_of(a, common), &weights_b = weights_of(b, common);
  const WeightByCount alone = weight_by_count(common, 1), together = weight_by_count(common, 2);
  uint64_t sum_alone = 0, sum_together = 0;
  for (const uint32_t place : both) {
    const uint32_t counted = counted_at(weights_a.counted, place);
    sum_alone += alone[counted];
    sum_together += together[counted];
  }
  return {.both = sum_together, .only_a = weights_a.weight - sum_alone, .only_b = weights_b.weight - sum_alone};
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

ContentVerdict compare_content(const ShingleSet& a, const ShingleSet& b, std::span<const uint32_t> both,
                               const Commonness* common) {
  const CommonSums sums = sum_weights(a, b, both, common);
  return verdict_of(sums, count_numbers(a.numbers, b.numbers), jaccard(a.hashes.size(), b.hashes.size(), both.size()));
}

Verdict look_again(const Verdict& almost, double bridged_share, const NumberCounts& numbers) {
  const double similarity = left_by_numbers(numbers) * bridged_share;
  if (similarity < kBridgedThreshold) return almost;
  const double apart = 1 - static_cast<double>(almost.similarity);  // without bridges, which lie over other words
  return {.similar = true, .similarity = static_cast<float>(similarity - kBridgesTake * apart)};
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
  std::vector<uint32_t> both;
  for (const std::vector<uint32_t>& ngram : all) {
    const bool in_both = in_a.contains(ngram) && in_b.contains(ngram);
    const uint32_t hash = hash_of_ngram(ngram);
    (in_both                ? sums.both
     : in_a.contains(ngram) ? sums.only_a
                            : sums.only_b) += weight_of(hash, in_both ? 2 : 1, common);
    if (in_both) both.push_back(hash);
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
  const ContentVerdict found = verdict_of(sums, numbers, jaccard(in_a.size(), in_b.size(), both.size()));
  std::ranges::sort(both);
  const Verdict verdict =
      found.is_almost ? look_again(found.verdict, bridged_share(a, b, both, common), numbers) : found.verdict;
  if (!verdict.similar) return verdict;
  if (are_turned(a, b)) return of_turned(verdict);
  if (lists_more(a, b)) return of_missing_items(verdict);
  return are_other_subjects(a, b) ? of_other_subjects(verdict) : verdict;
}

}  // namespace neardup::verify
