// The fast path: cached sets, a merge that stops as soon as the outcome is known.
//
// Candidates are many and mostly no duplicates, so the cheapest question comes first: sizes, then a merge that stops
// when the threshold is out of reach, then weights or numbers, and only for pairs that almost pass the texts once more,
// in order. Each step decides as the definition does (definition.h, compare_content_tokens()), only sooner; tests hold
// them against each other.
// docs/design/verification.md, docs/design/content.md.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "neardup/base/per_thread.h"
#include "neardup/verify/bridges.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/held.h"
#include "neardup/verify/intersect.h"
#include "neardup/verify/lists.h"
#include "neardup/verify/numbers.h"
#include "neardup/verify/set_cache.h"
#include "neardup/verify/subject.h"
#include "neardup/verify/turned.h"

namespace neardup::verify {
namespace {

// Dismissed without an exact similarity: all that is told is what follows from sizes and threshold. How far the
// merge came depends on the width of the machine's vectors, so it must not show.
Verdict dismissed(size_t a, size_t b, double threshold) {
  const double ratio = static_cast<double>(std::min(a, b)) / static_cast<double>(std::max(a, b));
  return {.similar = false, .exact = false, .similarity = static_cast<float>(std::min(ratio, threshold))};
}

// From which similarity on the pair is not dismissed.
double least_similarity(const Rule& rule, const ShingleSet& a, const ShingleSet& b) {
  if (rule.kind == Rule::Kind::kContent) return lowest_threshold(rule);
  return threshold_of(rule, std::min(a.distinct_bigrams, b.distinct_bigrams));
}

// Of two sets that have `least` n-grams in common at least; others are dismissed. Where the common ones stand is a list
// that each thread keeps.
ContentVerdict compare_by_content(const Rule& rule, const ShingleSet& a, const ShingleSet& b, size_t least) {
  static PerThread<std::vector<uint32_t>> buffers;
  std::vector<uint32_t>& both = buffers.get();
  find_common(a.hashes, b.hashes, least, both);
  const ContentVerdict found = both.size() < least
                                   ? ContentVerdict{dismissed(a.hashes.size(), b.hashes.size(), lowest_threshold(rule))}
                                   : compare_content(a, b, both, rule.common);
  constexpr size_t kKeep = size_t{1} << 18;  // a giant text must not leave its memory behind in each thread
  if (both.capacity() > kKeep) std::vector<uint32_t>().swap(both);
  return found;
}

ContentVerdict compare_sets(const Rule& rule, const ShingleSet& a, const ShingleSet& b, bool exactly) {
  const size_t size_a = a.hashes.size(), size_b = b.hashes.size();
  if (size_a == 0 || size_b == 0) return {{.similar = rule.kind == Rule::Kind::kNone}};
  const double threshold = least_similarity(rule, a, b);
  const size_t needed = needed_common(size_a, size_b, threshold);
  const size_t least = exactly ? 0 : needed;
  if (rule.kind == Rule::Kind::kContent) return compare_by_content(rule, a, b, least);
  const size_t common = count_common(a.hashes, b.hashes, least);
  if (common < least) return {dismissed(size_a, size_b, threshold)};
  const bool enough = common >= needed;
  const bool other_numbers = enough && rule.templates && !are_same(match_numbers(a.numbers, b.numbers));
  return {{.similar = enough && !other_numbers,
           .similarity = static_cast<float>(jaccard(size_a, size_b, common)),
           .other_numbers = other_numbers}};
}

}  // namespace

uint64_t comparing_bytes_per_token(const Rule& rule) {
  constexpr uint64_t kNgrams = 16;                     // the sequence as it was read, its n-grams, and sorting them
  constexpr uint64_t kNumbers = 2 * sizeof(uint64_t);  // of a text of nothing else
  return (rule.kind == Rule::Kind::kCode ? 3 : 1) * kNgrams + (looks_at_numbers(rule) ? kNumbers : 0) +
         (rule.kind == Rule::Kind::kContent ? kBridgeBytesPerToken : 0);
}

struct Verifier::Impl {
  Rule rule;
  TokenSource source;
  SetCache cache;
  std::optional<double> contained = {};

  Result<Verdict> compare(uint32_t a, uint32_t b, bool exactly) {
    Doubts doubts;
    NEARDUP_ASSIGN(Verdict verdict, compare_by_rule(a, b, exactly, doubts));
    if (verdict.similar && doubts.may_be_other_subjects) {
      NEARDUP_ASSIGN(const bool others, have_other_subjects(a, b));
      if (others) verdict = of_other_subjects(verdict);
    }
    if (verdict.similar && doubts.is_longer) {
      NEARDUP_ASSIGN(verdict.held, is_held(a, b));
      verdict.similar = !verdict.held;
    }
    return verdict;
  }

  // What the sets leave open of a similar pair.
  struct Doubts {
    bool may_be_other_subjects = false;
    bool is_longer = false;  // so much that one may contain the other
  };

  // No set is held any more when it returns.
  Result<Verdict> compare_by_rule(uint32_t a, uint32_t b, bool exactly, Doubts& doubts) {
    NEARDUP_ASSIGN(const SharedSet set_a, cache.get(a));
    NEARDUP_ASSIGN(const SharedSet set_b, cache.get(b));
    const auto [least, most] = std::minmax(set_a->num_tokens, set_b->num_tokens);
    doubts = {.may_be_other_subjects = verify::may_be_other_subjects(set_a->names, set_b->names),
              .is_longer = contained && verify::is_longer(most, least, *contained)};
    const ContentVerdict found = compare_sets(rule, *set_a, *set_b, exactly);
    Verdict verdict = found.verdict;
    if (found.is_almost) {
      const bool a_is_longer = set_a->hashes.size() > set_b->hashes.size();
      NEARDUP_ASSIGN(verdict, a_is_longer ? look_again(verdict, {a, *set_a}, {b, *set_b})
                                          : look_again(verdict, {b, *set_b}, {a, *set_a}));
    }
    if (verdict.similar && is_turned(match_turning(set_a->turning, set_b->turning), least)) return of_turned(verdict);
    if (!verdict.similar || !set_b->is_list) return verdict;
    NEARDUP_ASSIGN(const bool more, lists_more_than(set_a->hashes, b));
    return more ? of_missing_items(verdict) : verdict;
  }

  Result<bool> lists_more_than(std::span<const uint32_t> kept, uint32_t list) const {
    std::vector<uint32_t> tokens;
    NEARDUP_TRY(source(list, tokens));
    return is_much_missing(count_missing(tokens, kept), tokens.size());
  }

  Result<bool> have_other_subjects(uint32_t a, uint32_t b) const {
    std::vector<uint32_t> tokens_a, tokens_b;
    NEARDUP_TRY(source(a, tokens_a));
    NEARDUP_TRY(source(b, tokens_b));
    return are_other_subjects(tokens_a, tokens_b);
  }

  Result<bool> is_held(uint32_t a, uint32_t b) const {
    std::vector<uint32_t> tokens_a, tokens_b;
    NEARDUP_TRY(source(a, tokens_a));
    NEARDUP_TRY(source(b, tokens_b));
    return is_held_by_longer(tokens_a, tokens_b, *contained);
  }

  struct Document {
    uint32_t number;
    const ShingleSet& set;
  };

  // The longer text has more that may not be in the other, so it is the one that tells first that there is no need to
  // read both.
  Result<Verdict> look_again(const Verdict& almost, const Document& longer, const Document& other) {
    const NumberCounts numbers = count_numbers(longer.set.numbers, other.set.numbers);
    if (left_by_numbers(numbers) < kBridgedThreshold) return almost;  // whatever the bridges
    std::vector<uint32_t> both, tokens;
    find_common(longer.set.hashes, other.set.hashes, 0, both);
    for (uint32_t& place : both) place = longer.set.hashes[place];
    NEARDUP_TRY(source(longer.number, tokens));
    BridgedText text(std::move(tokens), both);
    if (left_by_numbers(numbers) * text.most_bridged(rule.common) < kBridgedThreshold) return almost;
    tokens.clear();
    NEARDUP_TRY(source(other.number, tokens));
    BridgedText other_text(std::move(tokens), both);
    return verify::look_again(almost, bridged_share(text, other_text, both.size(), rule.common), numbers);
  }
};

Verifier::Verifier(const Rule& rule, TokenSource source, uint64_t cache_bytes)
    : impl_(new Impl{rule, source, SetCache(rule, source, cache_bytes)}) {}
Verifier::~Verifier() = default;

void Verifier::leave_out(std::vector<uint32_t> common) { impl_->cache.leave_out(std::move(common)); }
void Verifier::leave_contained(double asked) { impl_->contained = asked; }
Result<Verdict> Verifier::compare(uint32_t a, uint32_t b) { return impl_->compare(a, b, false); }
Result<Verdict> Verifier::compare_exactly(uint32_t a, uint32_t b) { return impl_->compare(a, b, true); }
CacheStats Verifier::cache_stats() const { return impl_->cache.stats(); }

}  // namespace neardup::verify
