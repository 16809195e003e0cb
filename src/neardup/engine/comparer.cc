#include "neardup/engine/comparer.h"

#include <algorithm>

#include "neardup/base/threads.h"

namespace neardup::engine {
namespace {

constexpr size_t kChunk = 256;  // pairs that a thread takes at a time

constexpr verify::Rule kCodeRule = {.kind = verify::Rule::Kind::kCode};

verify::Rule origin_rule(bool templates) { return {.kind = verify::Rule::Kind::kOrigin, .templates = templates}; }

}  // namespace

Comparer::Comparer(const Documents& documents, const ExactGroups& groups, const BandLevels* levels, bool templates,
                   bool is_code, uint64_t memory_bytes, int num_threads)
    : levels_(levels),
      num_threads_(num_threads),
      origin_(origin_rule(templates), tokens_of(documents, groups), std::min(memory_bytes / 4, kMaxCacheBytes)),
      jaccard_({verify::Rule::Kind::kJaccard}, tokens_of(documents, groups),
               std::min(memory_bytes / 4, kMaxCacheBytes)),
      long_pairs_(documents, groups, verify::comparing_bytes_per_token(is_code ? kCodeRule : origin_rule(templates)),
                  memory_bytes / 2, num_threads) {
  if (is_code) code_.emplace(kCodeRule, tokens_of(documents, groups), std::min(memory_bytes / 4, kMaxCacheBytes));
}

Result<Compared> Comparer::compare(const cluster::Candidate& pair) {
  const MemoryBudget::Permit permit = long_pairs_.permit_for(pair.better, pair.worse);
  NEARDUP_ASSIGN(const verify::Verdict origin, origin_.compare_exactly(pair.better, pair.worse));
  NEARDUP_ASSIGN(const verify::Verdict jaccard, jaccard_.compare_exactly(pair.better, pair.worse));
  Compared compared{.jaccard3 = origin.similarity,
                    .jaccard5 = jaccard.similarity,
                    .is_origin = origin.similar || origin.other_numbers,
                    .other_numbers = origin.other_numbers,
                    .level = pair.distance};
  if (code_) {
    NEARDUP_ASSIGN(const verify::Verdict code, code_->compare(pair.better, pair.worse));
    compared.is_code = code.similar;
  }
  if (levels_ == nullptr) return compared;
  NEARDUP_ASSIGN(const BandLevels::Place place, levels_->place(pair.better, pair.worse));
  compared.level = place.level;
  compared.num_equal = place.num_equal;
  return compared;
}

Status Comparer::compare_all(std::span<const cluster::Candidate> pairs, std::vector<Compared>& out,
                             const Context& context) {
  out.resize(pairs.size());
  return parallel_for(num_threads_, (pairs.size() + kChunk - 1) / kChunk, [&](size_t chunk, int) -> Status {
    NEARDUP_TRY(context.check_cancel());
    const size_t end = std::min(pairs.size(), (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; ++i) {
      NEARDUP_ASSIGN(out[i], compare(pairs[i]));
    }
    return {};
  });
}

}  // namespace neardup::engine
