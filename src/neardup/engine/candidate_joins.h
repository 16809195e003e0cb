// The joins whose pairs are candidates: of fingerprints, of signatures, of short texts.
#pragma once

#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/candidates.h"
#include "neardup/engine/documents.h"
#include "neardup/engine/ranking.h"
#include "neardup/engine/short_texts.h"
#include "neardup/join/banding.h"

namespace neardup::engine {

struct JoinLimits {
  int num_threads = 1;
  uint64_t memory_bytes = 0;  // of each join
  Context context = {};
};

/// Joins groups and adds their pairs to a set of candidates. References are not paired with each other, and two of
/// `short_texts` (null: none) by their characters alone. Threads: one at a time; it uses several.
class CandidateJoins {
 public:
  /// `active`: the groups with fingerprints or a signature, ascending. All must outlive it.
  CandidateJoins(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                 const ShortTexts* short_texts, const JoinLimits& limits, cluster::CandidateSet& candidates);

  /// Fingerprint `which` of each, within `max_distance` bits.
  [[nodiscard]] Status join_prints(size_t which, int max_distance);
  /// Row i of `source` is the signature of active[i]. It is read to memory where that leaves room for the join.
  [[nodiscard]] Status join_signatures(const join::SignatureSource& source, const std::vector<join::Band>& bands,
                                       int min_equal);
  [[nodiscard]] Status join_short_texts();

 private:
  Status join_bands(join::SignatureSource source, const std::vector<join::Band>& bands, int min_equal,
                    const join::PairSink& sink);
  join::PairSink add(std::span<const uint32_t> groups, bool are_short);

  const Documents& documents_;
  const ExactGroups& groups_;
  const std::span<const uint32_t> active_;
  const ShortTexts* short_;
  const JoinLimits limits_;
  cluster::CandidateSet& candidates_;
  std::vector<std::vector<cluster::Candidate>> buffers_;  // of each thread
};

}  // namespace neardup::engine
