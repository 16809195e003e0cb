// Tables are made of the small set, once; each chunk of the large one is cut in cache and held against them, nothing of
// it is written (NarrowProbe). While a chunk is joined the next is read, so the disk and the processor work at once.
// Within a few bits and for even sets only: otherwise each chunk is a join of its own with the small set, of which
// tables are then made again and again. Which way a chunk goes changes no pair.
// Progress that can be kept: when `done` is told a position, every pair before it has been delivered, since emitters
// are emptied at the end of each chunk.
#include "neardup/join/disk/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <limits>
#include <optional>
#include <system_error>

#include "neardup/base/guard.h"
#include "neardup/base/threads.h"
#include "neardup/join/narrow_solver.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using Set = std::span<const Fingerprint>;

// A larger chunk spreads the work that the left set costs in each one over more fingerprints.
constexpr uint64_t kMostChunk = uint64_t{1} << 26;
constexpr uint64_t kLeastChunk = uint64_t{1} << 12;
// Two buffers and the parts of one.
constexpr uint64_t kChunkBytes = 3 * sizeof(Fingerprint);

class Stream {
 public:
  Stream(Set left, Source& right, const JoinOptions& options, const PairSink& sink, const StreamSteps& steps)
      : left_(left),
        right_(right),
        options_(options),
        sink_(sink),
        steps_(steps),
        num_threads_(resolve_num_threads(options.num_threads)),
        meter_(options.context.progress, right.size()) {}

  Status run() {
    NEARDUP_TRY(prepare());
    NEARDUP_TRY(right_.skip(steps_.begin));
    advance(steps_.begin);
    LargeArray<Fingerprint> current(chunk_size_), next(chunk_size_);
    NEARDUP_ASSIGN(size_t count, right_.read({current.data(), chunk_size_}));
    for (uint64_t begin = steps_.begin; count > 0;) {
      NEARDUP_TRY(options_.context.check_cancel());
      // The next chunk is read while this one is joined.
      auto reading = read_ahead({next.data(), chunk_size_});
      const Status joined = join_chunk({current.data(), count}, begin);
      NEARDUP_ASSIGN(const size_t next_count, reading.get());
      NEARDUP_TRY(joined);
      advance(count);
      begin += count;
      if (steps_.done) NEARDUP_TRY(steps_.done(begin));
      count = next_count;
      std::swap(current, next);
    }
    return {};
  }

 private:
  void advance(uint64_t count) {
    meter_.add(static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(1, right_.size())));
  }

  // In another thread, or where the system starts none, when the result is asked for.
  std::future<Result<size_t>> read_ahead(std::span<Fingerprint> out) {
    const auto read = [this, out] { return guarded([&] { return right_.read(out); }); };
    try {
      return std::async(std::launch::async, read);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, read);
    }
  }

  // Half of the memory for the chunks at most; the tables of the left set must fit beside them.
  Status prepare() {
    const uint64_t memory = options_.memory_bytes == 0 ? std::numeric_limits<int64_t>::max() : options_.memory_bytes;
    chunk_size_ = std::clamp(memory / 2 / kChunkBytes, kLeastChunk, std::clamp(right_.size(), kLeastChunk, kMostChunk));
    PlanQuery query{left_.size(), chunk_size_, false, ~uint64_t{0}, options_.max_distance};
    query.narrow = true;
    plan_ = choose_plan(query);
    const uint64_t scratch = static_cast<uint64_t>(num_threads_) * narrow_scratch_bytes(chunk_size_);
    const uint64_t bytes = NarrowProbe::left_bytes(left_.size(), plan_) + chunk_size_ * kChunkBytes + scratch;
    rest_bytes_ = memory - std::min(memory, chunk_size_ * 2 * sizeof(Fingerprint));
    const bool narrow = options_.max_distance <= match::kMaxNarrowDistance && !plan_.is_scan() && bytes <= memory &&
                        left_.size() <= kMaxLeft && evenly_spread(left_, plan_);
    if (!narrow) return {};
    hot_bytes_ = (memory - bytes) / 2;
    NEARDUP_ASSIGN(probe_, NarrowProbe::build(left_, chunk_size_, plan_, num_threads_, options_.context));
    return {};
  }

  Status join_chunk(Set chunk, uint64_t begin) {
    if (!probe_ || !evenly_spread(chunk, plan_)) return join_by_whole(chunk, begin);
    const JoinedSets sets{left_, chunk, false, 0, begin};
    std::vector<std::unique_ptr<Emitter>> emitters;
    for (int thread = 0; thread < num_threads_; ++thread)
      emitters.push_back(std::make_unique<Emitter>(sets, false, kHits, sink_, options_.context, thread));
    HotMemory budget(static_cast<int64_t>(hot_bytes_));
    NEARDUP_TRY(
        probe_->join(chunk, {num_threads_, emitters}, {options_.max_distance, options_.context, &budget, nullptr}));
    return resolve_all(emitters);
  }

  // Large distances and uneven sets: a join of its own for each chunk.
  Status join_by_whole(Set chunk, uint64_t begin) {
    JoinOptions options = options_;
    options.memory_bytes = options_.memory_bytes == 0 ? 0 : rest_bytes_;
    options.context.progress = nullptr;
    return cross_join(left_, chunk, options, [&](std::span<const Pair> pairs, int thread) {
      std::vector<Pair> shifted(pairs.begin(), pairs.end());
      for (Pair& pair : shifted) pair.b += begin;
      return sink_(shifted, thread);
    });
  }

  static constexpr uint64_t kMaxLeft = uint64_t{1} << 30;
  static constexpr size_t kHits = size_t{1} << 18;
  Set left_;
  Source& right_;
  const JoinOptions& options_;
  const PairSink& sink_;
  const StreamSteps& steps_;
  int num_threads_;
  Meter meter_;
  uint64_t chunk_size_ = 0;  // fingerprints of the right set at once
  uint64_t rest_bytes_ = 0;  // what the two buffers leave for a join of its own
  uint64_t hot_bytes_ = 0;   // for tables inside hot buckets
  JoinPlan plan_;
  std::optional<NarrowProbe> probe_;  // none: every chunk is a join of its own
};

}  // namespace

Status cross_join(Set left, Source& right, const JoinOptions& options, const PairSink& sink, const StreamSteps& steps) {
  if (options.max_distance < 0 || options.max_distance > fingerprint::kMaxDistance)
    return cross_join(left, Set(), options, sink);
  return Stream(left, right, options, sink, steps).run();
}

}  // namespace neardup::join
