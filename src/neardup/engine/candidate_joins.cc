#include "neardup/engine/candidate_joins.h"

#include "neardup/engine/signatures.h"
#include "neardup/join/join.h"

namespace neardup::engine {

CandidateJoins::CandidateJoins(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                               const ShortTexts* short_texts, const JoinLimits& limits,
                               cluster::CandidateSet& candidates)
    : documents_(documents),
      groups_(groups),
      active_(active),
      short_(short_texts),
      limits_(limits),
      candidates_(candidates),
      buffers_(static_cast<size_t>(limits.num_threads)) {}

Status CandidateJoins::join_prints(size_t which, int max_distance) {
  std::vector<fingerprint::Fingerprint> prints(active_.size());
  for (size_t i = 0; i < active_.size(); ++i) prints[i] = documents_.print(groups_.best[active_[i]], which);
  return join::self_join(prints,
                         {.max_distance = max_distance,
                          .num_threads = limits_.num_threads,
                          .memory_bytes = limits_.memory_bytes,
                          .context = limits_.context},
                         add(active_, false));
}

Status CandidateJoins::join_signatures(const join::SignatureSource& source, const std::vector<join::Band>& bands,
                                       int min_equal) {
  return join_bands(source, bands, min_equal, add(active_, false));
}

Status CandidateJoins::join_short_texts() {
  if (short_ == nullptr || short_->groups().empty()) return {};
  const simhash::MinHashSpec spec = short_text_spec();
  NEARDUP_ASSIGN(const auto bands, join::make_bands(spec.num_values, spec.bands, spec.rows));
  return join_bands(short_->signatures(), bands, short_text_bound(), add(short_->groups(), true));
}

Status CandidateJoins::join_bands(join::SignatureSource source, const std::vector<join::Band>& bands, int min_equal,
                                  const join::PairSink& sink) {
  std::vector<uint16_t> values;
  uint64_t budget = limits_.memory_bytes;
  if (source.values == nullptr && source.size_bytes() <= budget / 2) {
    NEARDUP_ASSIGN(values, load_signatures(source));
    budget -= source.size_bytes();
    source = join::signatures_in_memory(values, source.num_values);
  }
  const auto least = [&](int threads) { return join::least_banding_bytes(source.count, source.num_values, threads); };
  int num_threads = limits_.num_threads;
  while (num_threads > 1 && least(num_threads) > budget) --num_threads;
  return join::band_join(source,
                         {.bands = bands,
                          .min_equal = min_equal,
                          .num_threads = num_threads,
                          .memory_bytes = budget,
                          .context = limits_.context},
                         sink);
}

// Positions among `groups` become groups.
join::PairSink CandidateJoins::add(std::span<const uint32_t> groups, bool are_short) {
  return [this, groups, are_short](std::span<const join::Pair> pairs, int thread) -> Status {
    std::vector<cluster::Candidate>& buffer = buffers_[static_cast<size_t>(thread)];
    buffer.clear();
    for (const join::Pair& pair : pairs) {
      const uint32_t better = groups[pair.a], worse = groups[pair.b];
      if (worse < groups_.num_reference_groups) continue;
      if (!are_short && short_ != nullptr && short_->contains(better) && short_->contains(worse)) continue;
      buffer.push_back({better, worse, pair.distance});
    }
    return candidates_.add(buffer, thread);
  };
}

}  // namespace neardup::engine
