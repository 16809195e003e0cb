// Stars. Whether a rank is kept depends on better ranks only, so ranks are handed out in ascending order and a worker
// that needs the fate of a better rank waits for it: the lowest rank at work never waits, so there is no deadlock. Some
// are handed out at once: in a chain each rank waits for the one before it, which is mostly one of its own worker.
#include "neardup/cluster/star.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/chunks.h"
#include "neardup/cluster/crew.h"

namespace neardup::cluster {
namespace {

class Star {
 public:
  Star(uint32_t num_documents, const Verify& verify, const ClusterOptions& options)
      : verify_(verify),
        num_references_(options.num_references),
        crew_(options.num_threads, options.context, "cluster", "candidates", options.total_candidates),
        fates_(std::make_unique<std::atomic<uint8_t>[]>(num_documents)),  // all kKept
        assignments_(num_documents) {
    for (uint32_t rank = 0; rank < num_documents; ++rank) assignments_[rank].kept = rank;
  }

  Status decide(std::span<const Candidate> chunk) {
    begin_chunk(chunk);
    return crew_.run([&](size_t worker) { return work(worker); });
  }

  std::vector<Assignment> take_assignments() { return std::move(assignments_); }

 private:
  enum Fate : uint8_t { kKept, kRemoved, kUndecided };
  static constexpr size_t kRanksAtOnce = 16;

  // Finds where each rank's candidates begin, and makes the ranks undecided. A rank that the end of a chunk cut in two
  // goes on in the next one: as kept so far (nobody could depend on it yet), or removed for good.
  void begin_chunk(std::span<const Candidate> chunk) {
    chunk_ = chunk;
    begins_.clear();
    for (size_t i = 0; i < chunk.size(); ++i) {
      if (i > 0 && chunk[i].worse == chunk[i - 1].worse) continue;
      begins_.push_back(i);
      std::atomic<uint8_t>& fate = fates_[chunk[i].worse];
      const bool open = chunk[i].worse >= num_references_ && fate.load(std::memory_order_relaxed) == kKept;
      if (open) fate.store(kUndecided, std::memory_order_relaxed);
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
    if (fates_[rank].load(std::memory_order_relaxed) != kUndecided) return {};
    for (const Candidate& candidate : candidates) {
      const uint8_t fate = wait_for(candidate.better);
      if (crew_.stopped()) return {};
      if (fate != kKept) continue;
      NEARDUP_ASSIGN(const Verdict verdict, verify_(candidate.better, rank));
      if (!verdict.similar) continue;
      assignments_[rank] = {candidate.better, verdict.similarity, candidate.distance};
      fates_[rank].store(kRemoved, std::memory_order_release);
      return {};
    }
    fates_[rank].store(kKept, std::memory_order_release);
    return {};
  }

  // Returns the fate of `rank` once it is decided; kUndecided if the work stops before.
  uint8_t wait_for(uint32_t rank) const {
    constexpr int kSpins = 128;
    for (int tries = 0;; ++tries) {
      const uint8_t fate = fates_[rank].load(std::memory_order_acquire);
      if (fate != kUndecided || crew_.stopped()) return fate;
      if (tries > kSpins) std::this_thread::yield();
    }
  }

  const Verify& verify_;
  const uint32_t num_references_;
  Crew crew_;
  std::unique_ptr<std::atomic<uint8_t>[]> fates_;
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
