// Ranks are decided block by block. Before a block, the front part of each bucket's members holds those of earlier
// blocks that are kept; behind it stand the members not yet decided. A rank is compared with the kept ones of its
// buckets, and only where none of them is similar with the earlier ranks of its own block, for which it waits.
#include "neardup/cluster/band_stars.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "neardup/base/large_array.h"
#include "neardup/cluster/crew.h"
#include "neardup/cluster/fates.h"
#include "neardup/fingerprint/equal_values.h"
#include "neardup/join/band_buckets.h"

namespace neardup::cluster {
namespace {

constexpr uint32_t kBlockRanks = 1024;
constexpr uint32_t kNone = UINT32_MAX;

// The signatures of some ranks, and their buckets.
struct Layer {
  const BandedSignatures* signatures;
  size_t width;
  std::vector<uint32_t> rows;  // of each rank: its row, or kNone; empty where both are the same
  join::BandBuckets buckets;
  // Of a bucket: how many kept rows stand in its front, how many members belong to blocks that are done, and how many
  // are not late: others are compared with these alone.
  struct Place {
    uint32_t kept = 0;
    uint32_t done = 0;
    uint32_t most = 0;
  };
  LargeArray<Place> places;  // on huge pages, as buckets are

  [[nodiscard]] uint32_t row_of(uint32_t rank) const { return rows.empty() ? rank : rows[rank]; }
  [[nodiscard]] uint32_t rank_of(uint32_t row) const { return rows.empty() ? row : signatures->ranks[row]; }
  [[nodiscard]] const uint16_t* values_of(uint32_t rank) const {
    return signatures->values.data() + row_of(rank) * width;
  }
};

// The members of a bucket of `band` that are not late are its first ones, in a part of all rows as well: they stand in
// the same order there.
uint32_t most_of(const BandedSignatures& signatures, size_t band, std::span<const uint32_t> members) {
  const auto size = static_cast<uint32_t>(members.size());
  if (signatures.late == nullptr) return signatures.most_members == 0 ? size : std::min(size, signatures.most_members);
  if (signatures.late->none()) return size;
  const auto first_late = std::ranges::find_if(
      members, [&](uint32_t row) { return signatures.late->at(signatures.rows_of_late[row], band); });
  return static_cast<uint32_t>(first_late - members.begin());
}

Result<Layer> make_layer(const BandedSignatures& signatures, uint32_t num_ranks, const ClusterOptions& options) {
  Layer layer{.signatures = &signatures,
              .width = static_cast<size_t>(signatures.num_values),
              .rows = {},
              .buckets = {},
              .places = {}};
  if (!signatures.ranks.empty()) {
    layer.rows.assign(num_ranks, kNone);
    for (uint32_t row = 0; row < signatures.ranks.size(); ++row) layer.rows[signatures.ranks[row]] = row;
  }
  NEARDUP_ASSIGN(layer.buckets, join::BandBuckets::build(signatures.values, signatures.num_values, signatures.bands,
                                                         options.num_threads, options.context));
  layer.places = LargeArray<Layer::Place>(layer.buckets.size());
  for (size_t band = 0; band < signatures.bands.size(); ++band)
    for (uint32_t bucket = layer.buckets.bands()[band]; bucket < layer.buckets.bands()[band + 1]; ++bucket)
      layer.places[bucket] = {.most = most_of(signatures, band, layer.buckets.members(bucket))};
  return layer;
}

class Builder {
 public:
  Builder(uint32_t num_ranks, std::vector<Layer> layers, const Verify& verify, const ClusterOptions& options)
      : num_ranks_(num_ranks),
        layers_(std::move(layers)),
        verify_(verify),
        num_references_(options.num_references),
        only_with_references_(options.only_with_references),
        crew_(options.num_threads, options.context, "cluster", "documents", num_ranks_),
        workers_(static_cast<size_t>(resolve_num_threads(options.num_threads))),
        fates_(num_ranks_, crew_) {
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

  Status work(size_t worker);
  Status decide(uint32_t rank, Worker& worker);
  [[nodiscard]] bool is_settled(uint32_t rank) const;
  static void fetch_ahead(Layer& layer, std::span<const uint32_t> buckets);
  template <class Visit>
  void visit_buckets(uint32_t rank, const Visit& visit);
  void gather_kept(uint32_t rank, Worker& worker);
  void gather_block(uint32_t rank, Worker& worker);
  static void add(uint32_t rank, const Layer& layer, Worker& worker);
  void finish_gathering(Worker& worker) const;
  [[nodiscard]] bool in_last(uint32_t rank) const;
  [[nodiscard]] const Layer& layer_for(uint32_t a, uint32_t b) const;
  Result<bool> joins_one(uint32_t rank, Worker& worker);
  void end_block(uint32_t begin, uint32_t end);

  const uint32_t num_ranks_;
  std::vector<Layer> layers_;
  const Verify& verify_;
  const uint32_t num_references_;
  const bool only_with_references_;
  Crew crew_;
  std::vector<Worker> workers_;
  Fates fates_;
  std::atomic<uint32_t> next_{0};
  uint32_t block_end_ = 0;
  BandStars stars_;
};

Result<BandStars> Builder::run() {
  for (uint32_t begin = 0; begin < num_ranks_; begin = block_end_) {
    block_end_ = begin + std::min(kBlockRanks, num_ranks_ - begin);
    for (uint32_t rank = std::max(begin, num_references_); rank < block_end_; ++rank) fates_.open(rank);
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
  worker.num_settled += is_settled(rank);
  gather_kept(rank, worker);
  NEARDUP_ASSIGN(bool removed, joins_one(rank, worker));
  if (!removed) {
    gather_block(rank, worker);
    NEARDUP_ASSIGN(removed, joins_one(rank, worker));
  }
  if (!crew_.stopped()) fates_.decide(rank, removed ? Fate::kRemoved : Fate::kKept);
  return {};
}

bool Builder::is_settled(uint32_t rank) const {
  return std::ranges::all_of(layers_, [rank](const Layer& layer) {
    const uint32_t row = layer.row_of(rank);
    return row == kNone || layer.buckets.buckets_of(row).empty();
  });
}

bool Builder::in_last(uint32_t rank) const { return layers_.back().row_of(rank) != kNone; }

const Layer& Builder::layer_for(uint32_t a, uint32_t b) const {
  return in_last(a) && in_last(b) ? layers_.back() : layers_.front();
}

// Buckets lie anywhere in memory: what is asked for at once is waited for once.
void Builder::fetch_ahead(Layer& layer, std::span<const uint32_t> buckets) {
  for (const uint32_t bucket : buckets) {
    __builtin_prefetch(&layer.places[bucket]);
    layer.buckets.prefetch(bucket);
  }
  for (const uint32_t bucket : buckets) __builtin_prefetch(layer.buckets.members(bucket).data());
}

// Calls visit(members, place, wanted) for each bucket of the rank; `wanted` tells which other ranks it brings together
// with this one.
template <class Visit>
void Builder::visit_buckets(uint32_t rank, const Visit& visit) {
  for (Layer& layer : layers_) {
    const uint32_t row = layer.row_of(rank);
    if (row == kNone) continue;
    const auto wanted = [&](uint32_t other) { return &layer_for(rank, other) == &layer; };
    const std::span<const uint32_t> buckets = layer.buckets.buckets_of(row);
    fetch_ahead(layer, buckets);
    for (const uint32_t bucket : buckets) visit(layer, layer.buckets.members(bucket), layer.places[bucket], wanted);
  }
}

void Builder::gather_kept(uint32_t rank, Worker& worker) {
  visit_buckets(rank,
                [&](const Layer& layer, std::span<const uint32_t> members, Layer::Place place, const auto& wanted) {
                  for (const uint32_t row : members.first(place.kept))
                    if (const uint32_t other = layer.rank_of(row); wanted(other)) add(other, layer, worker);
                });
  finish_gathering(worker);
}

void Builder::gather_block(uint32_t rank, Worker& worker) {
  const uint32_t end = only_with_references_ ? num_references_ : rank;
  visit_buckets(rank,
                [&](const Layer& layer, std::span<const uint32_t> members, Layer::Place place, const auto& wanted) {
                  for (uint32_t i = place.done; i < place.most; ++i) {
                    const uint32_t other = layer.rank_of(members[i]);
                    if (other >= end) break;
                    if (fates_.of(other) != Fate::kRemoved && wanted(other)) add(other, layer, worker);
                  }
                });
  finish_gathering(worker);
}

// The signature will be compared, and is asked for meanwhile.
void Builder::add(uint32_t rank, const Layer& layer, Worker& worker) {
  const uint64_t bit = uint64_t{1} << rank % 64;
  if ((worker.seen[rank / 64] & bit) != 0) return;
  worker.seen[rank / 64] |= bit;
  worker.candidates.push_back(rank);
  constexpr size_t kCacheLine = 64 / sizeof(uint16_t);
  for (size_t i = 0; i < layer.width; i += kCacheLine) __builtin_prefetch(layer.values_of(rank) + i);
}

void Builder::finish_gathering(Worker& worker) const {
  for (const uint32_t rank : worker.candidates) worker.seen[rank / 64] = 0;
  std::ranges::sort(worker.candidates);
}

// Compares with the candidates in order of rank until one that stays is similar; empties the list.
Result<bool> Builder::joins_one(uint32_t rank, Worker& worker) {
  std::array<uint64_t, fingerprint::mask_words(fingerprint::kMaxSignatureValues)> mask;
  bool removed = false;
  for (const uint32_t better : worker.candidates) {
    const Layer& layer = layer_for(better, rank);
    const int equal =
        fingerprint::equal_values(layer.values_of(better), layer.values_of(rank), layer.width, mask.data());
    if (equal < layer.signatures->min_equal || fates_.wait_for(better) != Fate::kKept) continue;
    ++worker.num_candidates;
    NEARDUP_ASSIGN(const Likeness likeness, verify_(better, rank));
    if (!likeness.similar) continue;
    const auto differing = static_cast<uint32_t>(layer.width) - static_cast<uint32_t>(equal);
    stars_.assignments[rank] = {better, likeness.similarity, differing};
    removed = true;
    break;
  }
  worker.candidates.clear();
  return removed;
}

// Moves the rows that are kept, and not late, to the front of their buckets. Ascending, so each is the next member of
// all of them. Where ranks are compared with references only, these alone.
void Builder::end_block(uint32_t begin, uint32_t end) {
  for (Layer& layer : layers_)
    for (uint32_t rank = begin; rank < end; ++rank) {
      const uint32_t row = layer.row_of(rank);
      if (row == kNone) continue;
      const bool kept = fates_.of(rank) == Fate::kKept && (!only_with_references_ || rank < num_references_);
      for (const uint32_t bucket : layer.buckets.buckets_of(row)) {
        Layer::Place& place = layer.places[bucket];
        if (kept && place.done < place.most) layer.buckets.members(bucket)[place.kept++] = row;
        ++place.done;
      }
    }
}

}  // namespace

Result<BandStars> band_stars(std::span<const BandedSignatures> layers, const Verify& verify,
                             const ClusterOptions& options) {
  const auto num_ranks = static_cast<uint32_t>(layers[0].values.size() / static_cast<size_t>(layers[0].num_values));
  std::vector<Layer> made;
  for (const BandedSignatures& signatures : layers) {
    NEARDUP_ASSIGN(Layer layer, make_layer(signatures, num_ranks, options));
    made.push_back(std::move(layer));
  }
  return Builder(num_ranks, std::move(made), verify, options).run();
}

uint64_t band_stars_bytes(uint64_t num_ranks, int num_values, uint64_t num_bands, int num_threads) {
  const uint64_t signature = static_cast<uint64_t>(num_values) * sizeof(uint16_t);
  const uint64_t places = num_bands * 12 / 2;  // a bucket holds two at the least
  return num_ranks * (signature + places + sizeof(Assignment) + 1 + sizeof(uint32_t)) +
         join::band_buckets_bytes(num_ranks, num_bands, num_threads);
}

uint32_t band_stars_ranks(uint64_t num_ranks, uint64_t memory_bytes, uint64_t sample_bytes) {
  constexpr uint64_t kLeast = 4096;
  return static_cast<uint32_t>(std::clamp(memory_bytes / (sample_bytes / kSampleRanks), kLeast, num_ranks + kLeast));
}

}  // namespace neardup::cluster
