#include <algorithm>
#include <atomic>

#include "neardup/base/threads.h"
#include "neardup/cluster/components.h"
#include "neardup/engine/match/match_strategies.h"

namespace neardup::engine {

Result<Matches> ComponentMatching::run() {
  DisjointSets sets(run_.groups.size());
  std::atomic<uint64_t> num_candidates = 0;
  CandidateJoins joins(run_.documents, run_.groups, &run_.short_texts, join_settings_of(run_, &sets),
                       [&](std::span<const cluster::Candidate> pairs, int) -> Status {
                         for (const cluster::Candidate& pair : pairs) {
                           num_candidates.fetch_add(1, std::memory_order_relaxed);
                           NEARDUP_ASSIGN(const cluster::Likeness likeness,
                                          run_.comparer.compare(pair.better, pair.worse));
                           if (likeness.similar) sets.unite(pair.better, pair.worse);
                         }
                         return {};
                       });
  NEARDUP_TRY(run_.layers.join(joins));
  Matches matches;
  NEARDUP_ASSIGN(matches.assignments,
                 cluster::assign_components(run_.groups.size(), sets, nullptr, component_options_of(run_)));
  NEARDUP_TRY(add_distances(matches.assignments));
  matches.num_candidates = num_candidates;
  return matches;
}

// The distance of a removed document to the kept one, where the two are a candidate pair.
Status ComponentMatching::add_distances(std::vector<cluster::Assignment>& assignments) const {
  constexpr uint32_t kChunk = 1024;
  const CandidateLayers& layers = run_.layers;
  return parallel_for(run_.num_threads, assignments.size() / kChunk + 1, [&](size_t chunk, int) -> Status {
    NEARDUP_TRY(run_.context.check_cancel());
    const auto end = static_cast<uint32_t>(std::min<size_t>(assignments.size(), (chunk + 1) * kChunk));
    for (auto group = static_cast<uint32_t>(chunk * kChunk); group < end; ++group) {
      const uint32_t kept = assignments[group].kept;
      if (kept == group) continue;
      const bool are_short = run_.short_texts.contains(kept) && run_.short_texts.contains(group);
      const CandidateLayer& layer = are_short ? *layers.short_texts : *layers.main;
      NEARDUP_ASSIGN(const auto distance, candidate_distance(*layer.signatures(), kept, group));
      if (distance) assignments[group].distance = *distance;
    }
    return {};
  });
}

}  // namespace neardup::engine
