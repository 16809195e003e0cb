#include "neardup/engine/match_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "neardup/base/memory_budget.h"
#include "neardup/cluster/candidates.h"
#include "neardup/cluster/cluster.h"
#include "neardup/engine/dedup.h"
#include "neardup/engine/pairs_file.h"
#include "neardup/join/join.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {
namespace {

// What is held per document besides the input of the join: groups, assignments, fates and the joined arrays.
constexpr uint64_t kBytesPerDocument = 64;
constexpr uint64_t kMaxCacheBytes = uint64_t{48} << 20;

uint64_t share(uint64_t memory_bytes, uint64_t divisor) {
  return std::max<uint64_t>(memory_bytes / divisor, uint64_t{4} << 20);
}

Status check_memory(const Documents& documents, uint64_t memory_bytes) {
  const uint64_t needed = kBytesPerDocument * documents.size() + (uint64_t{16} << 20);
  if (needed <= memory_bytes) return {};
  return fail(Code::kMemory,
              fmt::format("{} documents need at least {} MiB of memory here, --memory allows {} MiB; raise "
                          "it, or reduce the inputs part by part with --reference",
                          documents.size(), (needed >> 20) + 1, memory_bytes >> 20));
}

class Matcher {
 public:
  Matcher(const Documents& documents, const ExactGroups& groups, const DedupOptions& options, const Context& context)
      : documents_(documents),
        groups_(groups),
        options_(options),
        context_(context),
        num_threads_(resolve_num_threads(options.num_threads)),
        verifier_(
            options.verify,
            [this](uint32_t group, std::vector<uint32_t>& tokens) {
              return documents_.read_tokens(groups_.best[group], tokens);
            },
            std::min(share(options.memory_bytes, 8), kMaxCacheBytes)),
        long_pairs_(share(options.memory_bytes, 4)) {}

  Result<Outcome> run(const WorkFolder& folder, const std::string& pairs_path);

 private:
  Status join(cluster::CandidateSet& candidates);
  Status join_one(size_t which, cluster::CandidateSet& candidates);
  Result<std::vector<cluster::Assignment>> assign(cluster::CandidateSet& candidates, const WorkFolder& folder,
                                                  const std::string& pairs_path);
  MemoryBudget::Permit permit_for(uint32_t a, uint32_t b);
  Result<cluster::Verdict> compare(uint32_t better, uint32_t worse);
  Outcome settle(const std::vector<cluster::Assignment>& assignments) const;

  const Documents& documents_;
  const ExactGroups& groups_;
  const DedupOptions& options_;
  const Context& context_;
  const int num_threads_;
  verify::Verifier verifier_;
  MemoryBudget long_pairs_;
  std::vector<uint32_t> active_;  // groups with fingerprints, ascending
  int distance_ = 0;
  std::atomic<uint64_t> num_verified_{0};
  std::atomic<uint64_t> num_similar_{0};
};

Result<Outcome> Matcher::run(const WorkFolder& folder, const std::string& pairs_path) {
  for (uint32_t group = 0; group < groups_.size(); ++group)
    if ((documents_.row(groups_.best[group]).flags & kHasFeatures) != 0) active_.push_back(group);
  distance_ = options_.distance.value_or(auto_distance(active_.size()));
  NEARDUP_TRY(create_directories(folder.scratch()));
  NEARDUP_ASSIGN(
      cluster::CandidateSet candidates,
      cluster::CandidateSet::create(folder.scratch(), share(options_.memory_bytes, 4), num_threads_, groups_.size()));
  NEARDUP_TRY(join(candidates));
  NEARDUP_TRY(candidates.finish());
  NEARDUP_ASSIGN(const auto assignments, assign(candidates, folder, pairs_path));
  Outcome outcome = settle(assignments);
  outcome.num_candidates = candidates.size();
  outcome.num_verified = num_verified_;
  outcome.num_similar = num_similar_;
  outcome.distance = static_cast<uint32_t>(distance_);
  return outcome;
}

Status Matcher::join(cluster::CandidateSet& candidates) {
  for (size_t which = 0; which < options_.recipe.fingerprints.size(); ++which) NEARDUP_TRY(join_one(which, candidates));
  return {};
}

Status Matcher::join_one(size_t which, cluster::CandidateSet& candidates) {
  std::vector<fingerprint::Fingerprint> prints(active_.size());
  for (size_t i = 0; i < active_.size(); ++i) prints[i] = documents_.print(groups_.best[active_[i]], which);
  std::vector<std::vector<cluster::Candidate>> buffers(static_cast<size_t>(num_threads_));
  const auto sink = [&](std::span<const join::Pair> pairs, int thread) -> Status {
    std::vector<cluster::Candidate>& buffer = buffers[static_cast<size_t>(thread)];
    buffer.clear();
    for (const join::Pair& pair : pairs) {
      const uint32_t better = active_[pair.a], worse = active_[pair.b];
      if (worse >= groups_.num_reference_groups) buffer.push_back({better, worse, pair.distance});
    }
    return candidates.add(buffer, thread);
  };
  return join::self_join(prints,
                         {.max_distance = distance_,
                          .num_threads = num_threads_,
                          .memory_bytes = share(options_.memory_bytes, 2),
                          .context = context_},
                         sink);
}

// The sets of long texts are compared by as many threads as have room for them.
MemoryBudget::Permit Matcher::permit_for(uint32_t a, uint32_t b) {
  constexpr uint64_t kBytesPerToken = 16;  // the sequence as it was read, its n-grams, and sorting them
  const auto num_tokens = [this](uint32_t group) { return uint64_t{documents_.row(groups_.best[group]).num_tokens}; };
  const uint64_t bytes = kBytesPerToken * (num_tokens(a) + num_tokens(b));
  if (bytes <= long_pairs_.capacity_bytes() / 8 / static_cast<uint64_t>(num_threads_)) return {};
  return long_pairs_.acquire(bytes);
}

Result<cluster::Verdict> Matcher::compare(uint32_t better, uint32_t worse) {
  const MemoryBudget::Permit permit = permit_for(better, worse);
  NEARDUP_ASSIGN(const verify::Verdict verdict, verifier_.compare(better, worse));
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  if (verdict.similar) num_similar_.fetch_add(1, std::memory_order_relaxed);
  return cluster::Verdict{verdict.similar, verdict.similarity};
}

Result<std::vector<cluster::Assignment>> Matcher::assign(cluster::CandidateSet& candidates, const WorkFolder& folder,
                                                         const std::string& pairs_path) {
  cluster::ClusterOptions cluster_options{.num_threads = num_threads_,
                                          .num_references = groups_.num_reference_groups,
                                          .total_candidates = candidates.size(),
                                          .context = context_};
  cluster_options.rewind = [&]() -> Status {
    candidates.rewind();
    return {};
  };
  cluster_options.similarity = [this](uint32_t better, uint32_t worse) -> Result<float> {
    const MemoryBudget::Permit permit = permit_for(better, worse);
    NEARDUP_ASSIGN(const verify::Verdict verdict, verifier_.compare_exactly(better, worse));
    return verdict.similarity;
  };
  cluster::CandidateSource source = [&] { return candidates.next(); };
  cluster::Verify verify = [this](uint32_t better, uint32_t worse) { return compare(better, worse); };
  std::optional<VerifiedPairs> verified;
  if (options_.write_pairs) {
    NEARDUP_ASSIGN(verified,
                   VerifiedPairs::collect(source, verify, folder.scratch() + "/pairs.bin", num_threads_, context_));
    NEARDUP_TRY(write_pairs(documents_, groups_, *verified, pairs_path, context_));
    source = [&] { return verified->next(); };
    cluster_options.rewind = [&]() -> Status {
      verified->rewind();
      return {};
    };
    // The counters keep what the pairs told: comparing again for the clusters adds nothing new.
    verify = [this](uint32_t better, uint32_t worse) -> Result<cluster::Verdict> {
      const MemoryBudget::Permit permit = permit_for(better, worse);
      NEARDUP_ASSIGN(const verify::Verdict verdict, verifier_.compare(better, worse));
      return cluster::Verdict{verdict.similar, verdict.similarity};
    };
  }
  return options_.cluster == ClusterKind::kStar
             ? cluster::star_clusters(groups_.size(), source, verify, cluster_options)
             : cluster::component_clusters(groups_.size(), source, verify, cluster_options);
}

Outcome Matcher::settle(const std::vector<cluster::Assignment>& assignments) const {
  Outcome outcome;
  outcome.fates.resize(documents_.size());
  for (uint32_t document = 0; document < documents_.size(); ++document) {
    DocumentFate& fate = outcome.fates[document];
    const uint32_t group = groups_.group_of[document];
    const cluster::Assignment& assignment = assignments[group];
    fate.kept = groups_.best[assignment.kept];
    if (document < documents_.num_references()) {
      fate = {.kept = document, .fate = Fate::kReference};
    } else if (assignment.kept != group) {
      fate.fate = Fate::kNear;
      fate.similarity = assignment.similarity;
      fate.distance = static_cast<uint8_t>(assignment.distance);
    } else if (fate.kept != document) {
      fate.fate = Fate::kExact;
    }
  }
  return outcome;
}

}  // namespace

Result<Outcome> match_documents(const Documents& documents, const ExactGroups& groups, const DedupOptions& options,
                                const WorkFolder& folder, const std::string& pairs_path, const Context& context) {
  NEARDUP_TRY(check_memory(documents, options.memory_bytes));
  return Matcher(documents, groups, options, context).run(folder, pairs_path);
}

}  // namespace neardup::engine
