// Connected components: join what is verified similar, then tell each removed document how far its kept one is.
#include "neardup/cluster/components.h"

#include <algorithm>
#include <atomic>

#include "neardup/base/disjoint_sets.h"
#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/chunks.h"
#include "neardup/cluster/crew.h"

namespace neardup::cluster {
namespace {

// Calls body(begin, end) for pieces of [0, count) on all workers of `crew`.
template <class Body>
Status for_pieces(Crew& crew, size_t count, size_t piece, const Body& body) {
  std::atomic<size_t> next{0};
  return crew.run([&](size_t worker) -> Status {
    while (!crew.stopped()) {
      const size_t begin = next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) break;
      const size_t end = std::min(begin + piece, count);
      NEARDUP_TRY(body(begin, end));
      crew.add_done(end - begin, worker);
    }
    return {};
  });
}

class Components {
 public:
  Components(uint32_t num_documents, DisjointSets& sets, const Verify& verify, const ClusterOptions& options)
      : num_documents_(num_documents), verify_(verify), options_(options), sets_(sets) {}

  Status join_all(const CandidateSource& candidates) {
    Crew crew(options_.num_threads, options_.context, "cluster", "candidates", options_.total_candidates);
    return for_chunks(candidates, [&](std::span<const Candidate> chunk) {
      return for_pieces(crew, chunk.size(), 64, [&](size_t begin, size_t end) -> Status {
        for (size_t i = begin; i < end && !crew.stopped(); ++i) NEARDUP_TRY(join(chunk[i]));
        return {};
      });
    });
  }

  // Looks the distances up among the candidates, in a second pass over them.
  Status add_distances(const CandidateSource& candidates, std::vector<Assignment>& assignments) {
    if (!options_.rewind) return {};
    NEARDUP_TRY(options_.rewind());
    return for_chunks(candidates, [&](std::span<const Candidate> chunk) -> Status {
      for (const Candidate& candidate : chunk) {
        Assignment& assignment = assignments[candidate.worse];
        if (assignment.kept == candidate.better) assignment.distance = candidate.distance;
      }
      return {};
    });
  }

 private:
  template <class Body>
  Status for_chunks(const CandidateSource& candidates, const Body& body) {
    ChunkReader reader(candidates, num_documents_);
    while (true) {
      NEARDUP_TRY(options_.context.check_cancel());
      NEARDUP_ASSIGN(const auto chunk, reader.next());
      if (chunk.empty()) return {};
      NEARDUP_TRY(body(chunk));
    }
  }

  Status join(const Candidate& candidate) {
    if (candidate.worse < options_.num_references) return {};
    if (sets_.connected(candidate.better, candidate.worse)) return {};
    NEARDUP_ASSIGN(const Likeness likeness, verify_(candidate.better, candidate.worse));
    if (likeness.similar) sets_.unite(candidate.better, candidate.worse);
    return {};
  }

  const uint32_t num_documents_;
  const Verify& verify_;
  const ClusterOptions& options_;
  DisjointSets& sets_;
};

Result<float> similarity_of(uint32_t better, uint32_t worse, const Verify& verify, const ClusterOptions& options) {
  if (options.similarity) return options.similarity(better, worse);
  NEARDUP_ASSIGN(const Likeness likeness, verify(better, worse));
  return likeness.similarity;
}

}  // namespace

Result<std::vector<Assignment>> assign_components(uint32_t num_documents, DisjointSets& sets, const Verify& verify,
                                                  const ClusterOptions& options) {
  std::vector<Assignment> assignments(num_documents);
  Crew crew(options.num_threads, options.context, "similarity", "documents", num_documents);
  NEARDUP_TRY(for_pieces(crew, num_documents, 256, [&](size_t begin, size_t end) -> Status {
    for (size_t i = begin; i < end && !crew.stopped(); ++i) {
      const auto rank = static_cast<uint32_t>(i);
      const uint32_t kept = rank < options.num_references ? rank : sets.find(rank);
      assignments[i].kept = kept;
      if (kept == rank) continue;
      NEARDUP_ASSIGN(assignments[i].similarity, similarity_of(kept, rank, verify, options));
      assignments[i].distance = kUnknownDistance;
    }
    return {};
  }));
  return assignments;
}

Result<std::vector<Assignment>> component_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                                   const Verify& verify, const ClusterOptions& options) {
  DisjointSets sets(num_documents);
  Components components(num_documents, sets, verify, options);
  NEARDUP_TRY(components.join_all(candidates));
  NEARDUP_ASSIGN(std::vector<Assignment> assignments, assign_components(num_documents, sets, verify, options));
  NEARDUP_TRY(components.add_distances(candidates, assignments));
  return assignments;
}

}  // namespace neardup::cluster
