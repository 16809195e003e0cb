// Compares pairs of texts under every rule at once: the similarities from which all verdicts follow.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/engine/evaluate/band_levels.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/long_pairs.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/engine/read/documents.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {

struct Compared {
  float jaccard3 = 0;
  float jaccard5 = 0;
  uint64_t accepted_by = 0;  // bit r: by rule r
  uint32_t level = 0;        // the first one at which the pair is a candidate
  uint32_t num_equal = 0;    // signature values, of MinHash
};

inline constexpr size_t kMostRules = 64;

/// Holds the n-gram sets of recently used groups. Threads: all members from many at once.
class Comparer {
 public:
  /// `levels` of MinHash, or null: then a candidate's distance is its level. `decisions`: one for each rule, at most
  /// kMostRules.
  Comparer(const Documents& documents, const ExactGroups& groups, const BandLevels* levels,
           std::span<const Decision> decisions, const MemoryPlan& plan, int num_threads);

  [[nodiscard]] Result<Compared> compare(const cluster::Candidate& pair);
  /// Fills out[i] for pairs[i], on all threads.
  [[nodiscard]] Status compare_all(std::span<const cluster::Candidate> pairs, std::vector<Compared>& out,
                                   const Context& context);

 private:
  const BandLevels* levels_;
  [[nodiscard]] Result<bool> accepts(size_t rule, const cluster::Candidate& pair, const verify::Verdict& origin,
                                     const verify::Verdict& jaccard);

  int num_threads_;
  std::vector<verify::Rule> rules_;
  verify::Verifier origin_;
  verify::Verifier jaccard_;
  std::vector<std::unique_ptr<verify::Verifier>> others_;  // by rule; null where the two above tell
  LongPairs long_pairs_;
};

}  // namespace neardup::engine
