// Compares candidate pairs of a run as its decision says, and counts what came of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "neardup/cluster/assignment.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/long_pairs.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/engine/read/documents.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {

/// What became of the candidates that were compared.
struct PairCounts {
  uint64_t num_verified = 0;
  uint64_t num_similar = 0;   // of these
  uint64_t num_filtered = 0;  // left out by --within or --size-within
};

/// Pairs are of groups, better < worse. Threads: all members from many at once.
class PairComparer {
 public:
  /// All references must outlive it.
  PairComparer(const Documents& documents, const ExactGroups& groups, const ShortTexts& short_texts,
               const Decision& decision, const MemoryPlan& plan, int num_threads);

  /// The verdict, counted. Errors: those of reading tokens and short texts, here and below.
  [[nodiscard]] Result<cluster::Likeness> compare(uint32_t better, uint32_t worse);
  /// The same of a pair that was counted before.
  [[nodiscard]] Result<cluster::Likeness> compare_again(uint32_t better, uint32_t worse);
  /// The exact similarity, also of a pair that is not similar.
  [[nodiscard]] Result<float> similarity(uint32_t better, uint32_t worse);
  [[nodiscard]] PairCounts counts() const { return {num_verified_, num_similar_, num_filtered_}; }

 private:
  Result<verify::Verdict> look_at(uint32_t better, uint32_t worse, bool exactly);

  const Documents& documents_;
  const ExactGroups& groups_;
  const ShortTexts& short_;
  const Decision& decision_;
  const bool leaves_out_;  // leaves_pairs_out(): if not, no row is looked at for may_be_compared()
  const std::unique_ptr<verify::Verifier> verifier_;
  LongPairs long_pairs_;
  std::atomic<uint64_t> num_verified_{0};
  std::atomic<uint64_t> num_similar_{0};
  std::atomic<uint64_t> num_filtered_{0};
};

}  // namespace neardup::engine
