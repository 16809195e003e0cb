// The joins whose pairs are candidates: of fingerprints, of signatures, of short texts.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disjoint_sets.h"
#include "neardup/cluster/candidate.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/documents.h"
#include "neardup/join/banding.h"

namespace neardup::engine {

struct JoinSettings {
  int num_threads = 1;
  uint64_t memory_bytes = 0;       // of each join
  DisjointSets* joined = nullptr;  // of groups: joins of signatures leave out pairs that are in one set already
  // Of the rows of signatures, of all texts and of short ones: join::BandingOptions::late.
  const join::LateRows* late = nullptr;
  const join::LateRows* late_short = nullptr;
  Context context = {};
};

/// Takes candidates, at most some thousand at a time. Threads: many at once, each with its own `thread`.
using CandidateSink = std::function<Status(std::span<const cluster::Candidate>, int thread)>;

/// Joins groups and hands their pairs on. References are not paired with each other, and two of `short_texts` (null:
/// none) by their characters alone. Threads: one at a time; it uses several.
class CandidateJoins {
 public:
  /// All references must outlive it.
  CandidateJoins(const Documents& documents, const ExactGroups& groups, const ShortTexts* short_texts,
                 const JoinSettings& settings, CandidateSink sink);

  /// Fingerprint `which` of the groups in `active`, within `max_distance` bits.
  [[nodiscard]] Status join_fingerprints(std::span<const uint32_t> active, size_t which, int max_distance);
  /// The signatures are read to memory where that leaves room for the join.
  [[nodiscard]] Status join_signatures(const SignatureLayer& layer);

 private:
  join::PairSink hand_on(std::span<const uint32_t> groups, bool are_short);

  const Documents& documents_;
  const ExactGroups& groups_;
  const ShortTexts* short_;
  const JoinSettings settings_;
  const CandidateSink sink_;
  std::vector<std::vector<cluster::Candidate>> buffers_;  // of each thread
};

}  // namespace neardup::engine
