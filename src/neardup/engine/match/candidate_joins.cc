#include "neardup/engine/match/candidate_joins.h"

#include <algorithm>

#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::engine {

CandidateJoins::CandidateJoins(const Documents& documents, const ExactGroups& groups, const ShortTexts* short_texts,
                               const JoinSettings& settings, CandidateSink sink)
    : documents_(documents),
      groups_(groups),
      short_(short_texts),
      settings_(settings),
      sink_(std::move(sink)),
      buffers_(static_cast<size_t>(settings.num_threads)) {}

Status CandidateJoins::join_fingerprints(std::span<const uint32_t> active, size_t which, int max_distance) {
  std::vector<fingerprint::Fingerprint> fingerprints(active.size());
  for (size_t i = 0; i < active.size(); ++i)
    fingerprints[i] = documents_.fingerprint_of(groups_.best[active[i]], which);
  return join::self_join(fingerprints,
                         {.max_distance = max_distance,
                          .num_threads = settings_.num_threads,
                          .memory_bytes = settings_.memory_bytes,
                          .context = settings_.context},
                         hand_on(active, false));
}

Status CandidateJoins::join_signatures(const SignatureLayer& layer) {
  join::SignatureSource source = layer.source;
  LargeArray<uint16_t> values;
  uint64_t budget = settings_.memory_bytes;
  if (source.values == nullptr && source.size_bytes() <= budget / 2) {
    NEARDUP_ASSIGN(values, load_signatures(source));
    budget -= source.size_bytes();
    source = join::signatures_in_memory(values, source.num_values);
  }
  const auto least = [&](int threads) { return join::least_banding_bytes(source.count, source.num_values, threads); };
  int num_threads = settings_.num_threads;
  while (num_threads > 1 && least(num_threads) > budget) --num_threads;
  const auto num_given = std::ranges::lower_bound(layer.groups, groups_.num_reference_groups) - layer.groups.begin();
  return join::band_join(source,
                         {.bands = layer.rule.bands(),
                          .min_equal = layer.rule.min_equal(),
                          .joined = {settings_.joined, layer.groups, static_cast<uint32_t>(num_given)},
                          .late = layer.of_short_texts ? settings_.late_short : settings_.late,
                          .num_threads = num_threads,
                          .memory_bytes = budget,
                          .context = settings_.context},
                         hand_on(layer.groups, layer.of_short_texts));
}

// Positions among `groups` become groups.
join::PairSink CandidateJoins::hand_on(std::span<const uint32_t> groups, bool are_short) {
  return [this, groups, are_short](std::span<const join::Pair> pairs, int thread) -> Status {
    std::vector<cluster::Candidate>& buffer = buffers_[static_cast<size_t>(thread)];
    buffer.clear();
    for (const join::Pair& pair : pairs) {
      const uint32_t better = groups[pair.a], worse = groups[pair.b];
      if (worse < groups_.num_reference_groups) continue;
      if (!are_short && short_ != nullptr && short_->contains(better) && short_->contains(worse)) continue;
      buffer.push_back({better, worse, pair.distance});
    }
    return sink_(buffer, thread);
  };
}

}  // namespace neardup::engine
