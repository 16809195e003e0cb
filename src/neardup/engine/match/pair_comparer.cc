#include "neardup/engine/match/pair_comparer.h"

#include "neardup/engine/match/pair_filter.h"

namespace neardup::engine {

PairComparer::PairComparer(const Documents& documents, const ExactGroups& groups, const ShortTexts& short_texts,
                           const Decision& decision, const MemoryPlan& plan, int num_threads)
    : documents_(documents),
      groups_(groups),
      short_(short_texts),
      decision_(decision),
      leaves_out_(leaves_pairs_out(documents, groups, decision)),
      verifier_(decision.verifier(tokens_of(documents, groups), plan.bytes_of(MemoryUse::kNgramSets))),
      long_pairs_(documents, groups, verify::comparing_bytes_per_token(decision.rule()),
                  plan.bytes_of(MemoryUse::kLongTexts), num_threads) {}

Result<verify::Verdict> PairComparer::look_at(uint32_t better, uint32_t worse, bool exactly) {
  if (decision_.route(short_.contains(better) && short_.contains(worse)) == PairRoute::kCharacters)
    return short_.compare(decision_.rule(), better, worse, exactly);
  const MemoryBudget::Permit permit = long_pairs_.permit_for(better, worse);
  return exactly ? verifier_->compare_exactly(better, worse) : verifier_->compare(better, worse);
}

Result<cluster::Likeness> PairComparer::compare(uint32_t better, uint32_t worse) {
  if (leaves_out_ && !may_be_compared(documents_, groups_, decision_, better, worse)) {
    num_filtered_.fetch_add(1, std::memory_order_relaxed);
    return cluster::Likeness{};
  }
  NEARDUP_ASSIGN(const cluster::Likeness likeness, compare_again(better, worse));
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  if (likeness.similar) num_similar_.fetch_add(1, std::memory_order_relaxed);
  return likeness;
}

Result<cluster::Likeness> PairComparer::compare_again(uint32_t better, uint32_t worse) {
  NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, false));
  return cluster::Likeness{verdict.similar, verdict.similarity};
}

Result<float> PairComparer::similarity(uint32_t better, uint32_t worse) {
  NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, true));
  return verdict.similarity;
}

}  // namespace neardup::engine
