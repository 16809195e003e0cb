// Compares pairs of texts under every rule at once: the similarities from which all verdicts follow.
#pragma once

#include <span>
#include <vector>

#include "neardup/base/memory_budget.h"
#include "neardup/cluster/cluster.h"
#include "neardup/engine/documents.h"
#include "neardup/engine/ranking.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {

struct Compared {
  float jaccard3 = 0;
  float jaccard5 = 0;
  bool is_origin = false;  // the verdict of the rule origin
};

/// Holds the n-gram sets of recently used groups. Threads: all members from many at once.
class Comparer {
 public:
  Comparer(const Documents& documents, const ExactGroups& groups, uint64_t memory_bytes, int num_threads);

  [[nodiscard]] Result<Compared> compare(uint32_t g, uint32_t h);
  /// Fills out[i] for pairs[i], on all threads.
  [[nodiscard]] Status compare_all(std::span<const cluster::Candidate> pairs, std::vector<Compared>& out,
                                   const Context& context);

 private:
  MemoryBudget::Permit permit_for(uint32_t g, uint32_t h);

  const Documents& documents_;
  const ExactGroups& groups_;
  int num_threads_;
  verify::Verifier origin_;
  verify::Verifier jaccard_;
  MemoryBudget long_pairs_;
};

}  // namespace neardup::engine
