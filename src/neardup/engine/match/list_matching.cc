// The candidate list is sorted by the worse document, so that stars and components go through it once.
#include <atomic>
#include <optional>

#include "neardup/cluster/candidates.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/star.h"
#include "neardup/engine/match/compared_pairs.h"
#include "neardup/engine/match/match_strategies.h"
#include "neardup/engine/match/pairs_file.h"

namespace neardup::engine {
namespace {

// A list that is too long to be shown is left to pairs.jsonl.
std::vector<SimilarGroups> shown_pairs(const VerifiedPairs& verified) {
  std::vector<SimilarGroups> pairs;
  if (verified.pairs().size() > kMostShownPairs) return pairs;
  for (const VerifiedPairs::Pair& pair : verified.pairs())
    pairs.push_back({pair.candidate.better, pair.candidate.worse, pair.similarity, pair.candidate.distance});
  return pairs;
}

// The verified pairs that stars without a list would have compared.
cluster::CandidateSource compared_pairs(VerifiedPairs& verified, const ComparedPairs& compared,
                                        std::vector<cluster::Candidate>& block) {
  return [&verified, &compared, &block]() -> Result<std::span<const cluster::Candidate>> {
    for (;;) {
      NEARDUP_ASSIGN(const auto pairs, verified.next());
      block.clear();
      for (const cluster::Candidate& pair : pairs) {
        NEARDUP_ASSIGN(const bool is_compared, compared.have(pair.better, pair.worse));
        if (is_compared) block.push_back(pair);
      }
      if (pairs.empty() || !block.empty()) return std::span<const cluster::Candidate>(block);
    }
  };
}

}  // namespace

bool ListMatching::fits() const {
  const join::SignatureSource& source = run_.layers.main->signatures()->source;
  return join::least_banding_bytes(source.count, source.num_values, 1) <= run_.plan.bytes_of(MemoryUse::kJoin);
}

Result<std::optional<Matches>> ListMatching::run(uint64_t most_candidates, const ComparedPairs* compared) {
  NEARDUP_TRY(create_directories(run_.folder.scratch()));
  NEARDUP_ASSIGN(std::optional<cluster::CandidateSet> candidates,
                 cluster::CandidateSet::create(run_.folder.scratch(), run_.plan.bytes_of(MemoryUse::kCandidates),
                                               run_.num_threads, run_.groups.size()));
  std::atomic<uint64_t> num_candidates = 0;
  JoinSettings settings = join_settings_of(run_, nullptr);
  if (compared != nullptr) settings.late = &compared->main(), settings.late_short = &compared->of_short_texts();
  CandidateJoins joins(run_.documents, run_.groups, &run_.short_texts, settings,
                       [&](std::span<const cluster::Candidate> pairs, int thread) -> Status {
                         if ((num_candidates += pairs.size()) > most_candidates)
                           return fail(Code::kUnsupported, "too many candidates");
                         return candidates->add(pairs, thread);
                       });
  const Status joined = run_.layers.join(joins);
  if (num_candidates > most_candidates) return std::nullopt;
  NEARDUP_TRY(joined);
  NEARDUP_TRY(candidates->finish());
  NEARDUP_ASSIGN(Matches matches, assign(*candidates));
  matches.num_candidates = candidates->size();
  return matches;
}

Result<Matches> ListMatching::assign(cluster::CandidateSet& candidates) const {
  cluster::ClusterOptions cluster_options = component_options_of(run_);
  cluster_options.total_candidates = candidates.size();
  cluster_options.rewind = [&]() -> Status {
    candidates.rewind();
    return {};
  };
  cluster::CandidateSource source = [&] { return candidates.next(); };
  cluster::Verify verify = [this](uint32_t better, uint32_t worse) { return run_.comparer.compare(better, worse); };
  Matches matches;
  std::optional<VerifiedPairs> verified;
  std::optional<ComparedPairs> compared;
  std::vector<cluster::Candidate> block;
  bool looks_up = false;
  if (run_.options.write_pairs) {
    NEARDUP_ASSIGN(verified, VerifiedPairs::collect(source, verify, run_.folder.scratch() + "/pairs.bin",
                                                    run_.num_threads, run_.context));
    NEARDUP_TRY(write_pairs(run_.documents, run_.groups, *verified, run_.pairs_path, run_.context));
    matches.pairs = shown_pairs(*verified);
    // Distances are looked up among all candidates, as without pairs: the kept document of a component need not be
    // similar to all of it.
    source = [&] { return looks_up ? candidates.next() : verified->next(); };
    cluster_options.rewind = [&]() -> Status {
      looks_up = true;
      candidates.rewind();
      return {};
    };
    // The counters keep what the pairs told: comparing again for the clusters adds nothing new.
    verify = [this](uint32_t better, uint32_t worse) { return run_.comparer.compare_again(better, worse); };
  }
  if (verified && run_.options.cluster == ClusterKind::kStar && run_.layers.main->signatures() != nullptr) {
    NEARDUP_ASSIGN(compared, ComparedPairs::find(run_));
    if (!compared->are_all()) source = compared_pairs(*verified, *compared, block);
  }
  const auto clusters_of =
      run_.options.cluster == ClusterKind::kStar ? cluster::star_clusters : cluster::component_clusters;
  NEARDUP_ASSIGN(matches.assignments, clusters_of(run_.groups.size(), source, verify, cluster_options));
  return matches;
}

}  // namespace neardup::engine
