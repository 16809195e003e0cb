// Ranks are decided block by block. Before a block, the front part of each bucket's members holds those of earlier
// blocks that are kept; behind it stand the members not yet decided. A rank is compared with the kept ones of its
// buckets, and only where none of them is similar with the earlier ranks of its own block, for which it waits as in
// star.cc.
#include "neardup/cluster/band_stars.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "neardup/cluster/crew.h"
#include "neardup/join/band_buckets.h"
#include "neardup/join/equal_values.h"

namespace neardup::cluster {
namespace {

constexpr uint32_t kBlockRanks = 1024;

enum Fate : uint8_t { kKept, kRemoved, kUndecided };

class Builder {
 public:
  Builder(const BandedSignatures& signatures, join::BandBuckets buckets, const Verify& verify,
          const ClusterOptions& options)
      : signatures_(signatures),
        width_(static_cast<size_t>(signatures.num_values)),
        num_ranks_(static_cast<uint32_t>(signatures.values.size() / width_)),
        buckets_(std::move(buckets)),
        verify_(verify),
        num_references_(options.num_references),
        crew_(options.num_threads, options.context, "cluster", "documents", num_ranks_),
        workers_(static_cast<size_t>(resolve_num_threads(options.num_threads))),
        fates_(std::make_unique<std::atomic<uint8_t>[]>(num_ranks_)),
        places_(buckets_.size()) {
    stars_.assignments.resize(num_ranks_);
    for (uint32_t rank = 0; rank < num_ranks_; ++rank) stars_.assignments[rank].kept = rank;
    for (Worker& worker : workers_) worker.seen.resize(num_ranks_ / 64 + 1);
  }

  Result<BandStars> run();

 private:
  struct alignas(64) Worker {
    std::vector<uint64_t> seen;  // a bit for each rank; clear between uses
    std::vector<uint32_t> candidates;
    uint64_t num_candidates = 0;
    uint64_t num_settled = 0;
  };
  // Of a bucket: how many kept ranks stand in its front, and how many members belong to blocks that are done.
  struct Place {
    uint32_t kept = 0;
    uint32_t done = 0;
  };

  Status work(size_t worker);
  Status decide(uint32_t rank, Worker& worker);
  void gather_kept(uint32_t rank, Worker& worker);
  void gather_block(uint32_t rank, Worker& worker);
  void add(uint32_t rank, Worker& worker) const;
  void finish_gathering(Worker& worker) const;
  Result<bool> joins_one(uint32_t rank, Worker& worker);
  [[nodiscard]] uint8_t wait_for(uint32_t rank) const;
  void end_block(uint32_t begin, uint32_t end);

  const BandedSignatures& signatures_;
  const size_t width_;
  const uint32_t num_ranks_;
  join::BandBuckets buckets_;
  const Verify& verify_;
  const uint32_t num_references_;
  Crew crew_;
  std::vector<Worker> workers_;
  std::unique_ptr<std::atomic<uint8_t>[]> fates_;
  std::vector<Place> places_;  // by bucket
  std::atomic<uint32_t> next_{0};
  uint32_t block_end_ = 0;
  BandStars stars_;
};

Result<BandStars> Builder::run() {
  for (uint32_t begin = 0; begin < num_ranks_; begin = block_end_) {
    block_end_ = std::min(num_ranks_, begin + std::min(kBlockRanks, num_ranks_ - begin));
    for (uint32_t rank = std::max(begin, num_references_); rank < block_end_; ++rank)
      fates_[rank].store(kUndecided, std::memory_order_relaxed);
    next_.store(begin, std::memory_order_relaxed);
    NEARDUP_TRY(crew_.run([this](size_t worker) { return work(worker); }));
    end_block(begin, block_end_);
  }
  for (const Worker& worker : workers_) {
    stars_.num_candidates += worker.num_candidates;
    stars_.num_settled += worker.num_settled;
  }
  return std::move(stars_);
}

Status Builder::work(size_t worker) {
  while (!crew_.stopped()) {
    const uint32_t rank = next_.fetch_add(1, std::memory_order_relaxed);
    if (rank >= block_end_) return {};
    if (rank >= num_references_) NEARDUP_TRY(decide(rank, workers_[worker]));
    crew_.add_done(1, worker);
  }
  return {};
}

Status Builder::decide(uint32_t rank, Worker& worker) {
  worker.num_settled += buckets_.buckets_of(rank).empty();
  gather_kept(rank, worker);
  NEARDUP_ASSIGN(bool removed, joins_one(rank, worker));
  if (!removed) {
    gather_block(rank, worker);
    NEARDUP_ASSIGN(removed, joins_one(rank, worker));
  }
  if (!crew_.stopped()) fates_[rank].store(removed ? kRemoved : kKept, std::memory_order_release);
  return {};
}

void Builder::gather_kept(uint32_t rank, Worker& worker) {
  for (const uint32_t bucket : buckets_.buckets_of(rank))
    for (const uint32_t other : buckets_.members(bucket).first(places_[bucket].kept)) add(other, worker);
  finish_gathering(worker);
}

void Builder::gather_block(uint32_t rank, Worker& worker) {
  for (const uint32_t bucket : buckets_.buckets_of(rank))
    for (const uint32_t other : buckets_.members(bucket).subspan(places_[bucket].done)) {
      if (other >= rank) break;
      if (fates_[other].load(std::memory_order_relaxed) != kRemoved) add(other, worker);
    }
  finish_gathering(worker);
}

void Builder::add(uint32_t rank, Worker& worker) const {
  const uint64_t bit = uint64_t{1} << rank % 64;
  if ((worker.seen[rank / 64] & bit) != 0) return;
  worker.seen[rank / 64] |= bit;
  worker.candidates.push_back(rank);
}

void Builder::finish_gathering(Worker& worker) const {
  for (const uint32_t rank : worker.candidates) worker.seen[rank / 64] = 0;
  std::ranges::sort(worker.candidates);
}

// Compares with the candidates in order of rank until one that stays is similar; empties the list.
Result<bool> Builder::joins_one(uint32_t rank, Worker& worker) {
  std::array<uint64_t, join::mask_words(join::kMaxSignatureValues)> mask;
  const uint16_t* mine = signatures_.values.data() + rank * width_;
  bool removed = false;
  for (const uint32_t better : worker.candidates) {
    const int equal = join::equal_values(signatures_.values.data() + better * width_, mine, width_, mask.data());
    if (equal < signatures_.min_equal || wait_for(better) != kKept) continue;
    ++worker.num_candidates;
    NEARDUP_ASSIGN(const Verdict verdict, verify_(better, rank));
    if (!verdict.similar) continue;
    stars_.assignments[rank] = {better, verdict.similarity,
                                static_cast<uint32_t>(width_) - static_cast<uint32_t>(equal)};
    removed = true;
    break;
  }
  worker.candidates.clear();
  return removed;
}

// Returns the fate of `rank` once it is decided; kUndecided if the work stops before.
uint8_t Builder::wait_for(uint32_t rank) const {
  constexpr int kSpins = 128;
  for (int tries = 0;; ++tries) {
    const uint8_t fate = fates_[rank].load(std::memory_order_acquire);
    if (fate != kUndecided || crew_.stopped()) return fate;
    if (tries > kSpins) std::this_thread::yield();
  }
}

// Moves the ranks that are kept to the front of their buckets. Ascending, so each is the next member of all of them.
void Builder::end_block(uint32_t begin, uint32_t end) {
  for (uint32_t rank = begin; rank < end; ++rank) {
    const bool kept = fates_[rank].load(std::memory_order_relaxed) == kKept;
    for (const uint32_t bucket : buckets_.buckets_of(rank)) {
      Place& place = places_[bucket];
      ++place.done;
      if (kept) buckets_.members(bucket)[place.kept++] = rank;
    }
  }
}

}  // namespace

Result<BandStars> band_stars(const BandedSignatures& signatures, const Verify& verify, const ClusterOptions& options) {
  NEARDUP_ASSIGN(auto buckets, join::BandBuckets::build(signatures.values, signatures.num_values, signatures.bands,
                                                        options.num_threads, options.context));
  return Builder(signatures, std::move(buckets), verify, options).run();
}

uint64_t band_stars_bytes(uint64_t num_ranks, int num_values, uint64_t num_bands, int num_threads) {
  const uint64_t signature = static_cast<uint64_t>(num_values) * sizeof(uint16_t);
  const uint64_t places = num_bands * 8 / 2;  // a bucket holds two at the least
  return num_ranks * (signature + places + sizeof(Assignment) + 1) +
         join::band_buckets_bytes(num_ranks, num_bands, num_threads);
}

}  // namespace neardup::cluster
