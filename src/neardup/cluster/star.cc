// Stars. Ranks are handed out in ascending order, and a worker waits for the fates of better ones (fates.h). Some are
// handed out at once: in a chain each rank waits for the one before it, which is mostly one of its own worker.
#include "neardup/cluster/star.h"

#include <algorithm>
#include <atomic>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/chunks.h"
#include "neardup/cluster/crew.h"
#include "neardup/cluster/fates.h"

namespace neardup::cluster {
namespace {

class Star {
 public:
  Star(uint32_t num_documents, const Verify& verify, const ClusterOptions& options)
      : verify_(verify),
        num_references_(options.num_references),
        crew_(options.num_threads, options.context, options.stage, "candidates", options.total_candidates),
        fates_(num_documents, crew_),
        assignments_(num_documents) {
    for (uint32_t rank = 0; rank < num_documents; ++rank) assignments_[rank].kept = rank;
  }

  Status decide(std::span<const Candidate> chunk) {
    begin_chunk(chunk);
    return crew_.run([&](size_t worker) { return work(worker); });
  }

  std::vector<Assignment> take_assignments() { return std::move(assignments_); }

 private:
  static constexpr size_t kRanksAtOnce = 16;

  // Finds where each rank's candidates begin, and makes the ranks undecided. A rank that the end of a chunk cut in two
  // goes on in the next one: as kept so far (nobody could depend on it yet), or removed for good.
  void begin_chunk(std::span<const Candidate> chunk) {
    chunk_ = chunk;
    begins_.clear();
    for (size_t i = 0; i < chunk.size(); ++i) {
      if (i > 0 && chunk[i].worse == chunk[i - 1].worse) continue;
      begins_.push_back(i);
      const uint32_t rank = chunk[i].worse;
      if (rank >= num_references_ && fates_.of(rank) == Fate::kKept) fates_.open(rank);
    }
    begins_.push_back(chunk.size());
    next_.store(0, std::memory_order_relaxed);
  }

  Status work(size_t worker) {
    const size_t num_ranks = begins_.size() - 1;
    for (size_t first = 0; first < num_ranks;) {
      first = next_.fetch_add(kRanksAtOnce, std::memory_order_relaxed);
      for (size_t index = first; index < std::min(first + kRanksAtOnce, num_ranks); ++index) {
        if (crew_.stopped()) return {};
        const auto candidates = chunk_.subspan(begins_[index], begins_[index + 1] - begins_[index]);
        NEARDUP_TRY(decide_rank(candidates));
        crew_.add_done(candidates.size(), worker);
      }
    }
    return {};
  }

  Status decide_rank(std::span<const Candidate> candidates) {
    const uint32_t rank = candidates.front().worse;
    if (fates_.of(rank) != Fate::kUndecided) return {};
    for (const Candidate& candidate : candidates) {
      const Fate fate = fates_.wait_for(candidate.better);
      if (crew_.stopped()) return {};
      if (fate != Fate::kKept) continue;
      NEARDUP_ASSIGN(const Likeness likeness, verify_(candidate.better, rank));
      if (!likeness.similar) continue;
      assignments_[rank] = {candidate.better, likeness.similarity, candidate.distance};
      fates_.decide(rank, Fate::kRemoved);
      return {};
    }
    fates_.decide(rank, Fate::kKept);
    return {};
  }

  const Verify& verify_;
  const uint32_t num_references_;
  Crew crew_;
  Fates fates_;
  std::vector<Assignment> assignments_;
  std::span<const Candidate> chunk_;
  std::vector<size_t> begins_;  // of each rank's candidates in chunk_, and its end
  std::atomic<size_t> next_{0};
};

}  // namespace

Result<std::vector<Assignment>> star_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                              const Verify& verify, const ClusterOptions& options) {
  Star star(num_documents, verify, options);
  ChunkReader reader(candidates, num_documents);
  while (true) {
    NEARDUP_TRY(options.context.check_cancel());
    NEARDUP_ASSIGN(const auto chunk, reader.next());
    if (chunk.empty()) return star.take_assignments();
    NEARDUP_TRY(star.decide(chunk));
  }
}

}  // namespace neardup::cluster
