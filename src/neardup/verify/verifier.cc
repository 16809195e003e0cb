// The fast path: cached sets, a merge that stops as soon as the outcome is known.
#include <algorithm>
#include <utility>

#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/intersect.h"
#include "neardup/verify/numbers.h"
#include "neardup/verify/set_cache.h"

namespace neardup::verify {
namespace {

// Dismissed without an exact similarity: all that is told is what follows from sizes and threshold. How far the
// merge came depends on the width of the machine's vectors, so it must not show.
Verdict dismissed(size_t a, size_t b, double threshold) {
  const double ratio = static_cast<double>(std::min(a, b)) / static_cast<double>(std::max(a, b));
  return {.similar = false, .exact = false, .similarity = static_cast<float>(std::min(ratio, threshold))};
}

Verdict compare_sets(const Rule& rule, const ShingleSet& a, const ShingleSet& b, bool exactly) {
  const size_t size_a = a.hashes.size(), size_b = b.hashes.size();
  if (size_a == 0 || size_b == 0) return {.similar = rule.kind == Rule::Kind::kNone};
  const double threshold = threshold_of(rule, std::min(a.distinct_bigrams, b.distinct_bigrams));
  const size_t needed = needed_common(size_a, size_b, threshold);
  const size_t common = count_common(a.hashes, b.hashes, exactly ? 0 : needed);
  if (common < needed && !exactly) return dismissed(size_a, size_b, threshold);
  if (rule.kind == Rule::Kind::kContent) return compare_content(a, b, common, rule.common);
  const bool enough = common >= needed;
  const bool other_numbers = enough && rule.templates && !are_same(match_numbers(a.numbers, b.numbers));
  return {.similar = enough && !other_numbers,
          .similarity = static_cast<float>(jaccard(size_a, size_b, common)),
          .other_numbers = other_numbers};
}

}  // namespace

uint64_t comparing_bytes_per_token(const Rule& rule) {
  constexpr uint64_t kNgrams = 16;                     // the sequence as it was read, its n-grams, and sorting them
  constexpr uint64_t kNumbers = 2 * sizeof(uint64_t);  // of a text of nothing else
  return (rule.kind == Rule::Kind::kCode ? 3 : 1) * kNgrams + (looks_at_numbers(rule) ? kNumbers : 0);
}

struct Verifier::Impl {
  Rule rule;
  SetCache cache;

  Result<Verdict> compare(uint32_t a, uint32_t b, bool exactly) {
    NEARDUP_ASSIGN(const SharedSet set_a, cache.get(a));
    NEARDUP_ASSIGN(const SharedSet set_b, cache.get(b));
    return compare_sets(rule, *set_a, *set_b, exactly);
  }
};

Verifier::Verifier(const Rule& rule, TokenSource source, uint64_t cache_bytes)
    : impl_(new Impl{rule, SetCache(rule, std::move(source), cache_bytes)}) {}
Verifier::~Verifier() = default;

void Verifier::leave_out(std::vector<uint32_t> common) { impl_->cache.leave_out(std::move(common)); }
Result<Verdict> Verifier::compare(uint32_t a, uint32_t b) { return impl_->compare(a, b, false); }
Result<Verdict> Verifier::compare_exactly(uint32_t a, uint32_t b) { return impl_->compare(a, b, true); }
CacheStats Verifier::cache_stats() const { return impl_->cache.stats(); }

}  // namespace neardup::verify
