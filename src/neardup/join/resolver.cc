#include "neardup/join/resolver.h"

#include <algorithm>

#include "neardup/base/threads.h"
#include "neardup/join/buffer.h"
#include "neardup/join/positions.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using hamming::Hit;

constexpr size_t kBlockPairs = 4096;
constexpr size_t kBatch = 64;

/// Turns hits into pairs and hands them on in blocks. Threads: one.
class PairWriter {
 public:
  PairWriter(const JoinedSets& sets, const Positions& left, const Positions& right, const PairSink& sink, int thread,
             const Context& context)
      : sets_(sets), left_(left), right_(right), sink_(sink), thread_(thread), context_(context) {
    pairs_.reserve(kBlockPairs);
  }

  Status write(std::span<const Hit> hits) {
    for (size_t i = 0; i < hits.size() && status_; i += kBatch) {
      const auto batch = hits.subspan(i, std::min(kBatch, hits.size() - i));
      prefetch(batch);
      for (const Hit& hit : batch) expand(hit);
    }
    return status_;
  }

  Status finish() {
    deliver();
    return status_;
  }

 private:
  void prefetch(std::span<const Hit> batch) const {
    for (const Hit& hit : batch) {
      left_.prefetch_first(hit.a);
      right_.prefetch_first(hit.b);
    }
    for (const Hit& hit : batch) {
      left_.prefetch_second(hit.a);
      right_.prefetch_second(hit.b);
    }
  }

  void expand(const Hit& hit) {
    const size_t a = left_.values().lower_bound(hit.a), b = right_.values().lower_bound(hit.b);
    const auto distance = static_cast<uint32_t>(fingerprint::distance(hit.a, hit.b));
    left_.for_each(a, [&](uint32_t x) {
      right_.for_each(b, [&](uint32_t y) {
        if (hit.a != hit.b || !sets_.self) {
          push(sets_.left_begin + x, sets_.right_begin + y, distance);
        } else if (x < y) {
          push(sets_.left_begin + x, sets_.right_begin + y, 0);
        }
      });
    });
  }

  void push(uint64_t x, uint64_t y, uint32_t distance) {
    if (!status_) return;
    pairs_.push_back(sets_.self ? Pair{std::min(x, y), std::max(x, y), distance} : Pair{x, y, distance});
    if (pairs_.size() == kBlockPairs) deliver();
  }

  void deliver() {
    if (status_) status_ = context_.check_cancel();
    if (status_ && !pairs_.empty()) status_ = sink_(pairs_, thread_);
    pairs_.clear();
  }

  const JoinedSets& sets_;
  const Positions& left_;
  const Positions& right_;
  const PairSink& sink_;
  int thread_;
  const Context& context_;
  Status status_;
  std::vector<Pair> pairs_;
};

using Blocks = std::vector<std::span<const Hit>>;

// The values on one side of the hits, or on both.
Buffer<Fingerprint> values_of(const Blocks& blocks, size_t num_hits, bool left, bool right, size_t& size) {
  Buffer<Fingerprint> values(num_hits * (left && right ? 2 : 1));
  size = 0;
  for (const auto& block : blocks) {
    for (const Hit& hit : block) {
      if (left) values[size++] = hit.a;
      if (right && (!left || hit.b != hit.a)) values[size++] = hit.b;
    }
  }
  return values;
}

Result<Positions> find(const Blocks& blocks, size_t num_hits, bool left, bool right, std::span<const Fingerprint> set,
                       int num_threads, const Context& context) {
  size_t size = 0;
  const Buffer<Fingerprint> values = values_of(blocks, num_hits, left, right, size);
  return Positions::find({values.data(), size}, set, num_threads, context);
}

Status write_all(const Blocks& blocks, const JoinedSets& sets, const Positions& left, const Positions& right,
                 int num_threads, int first_thread, const PairSink& sink, const Context& context) {
  std::vector<PairWriter> writers;
  for (int thread = 0; thread < num_threads; ++thread)
    writers.emplace_back(sets, left, right, sink, first_thread + thread, context);
  NEARDUP_TRY(parallel_for(num_threads, blocks.size(), [&](size_t index, int thread) {
    return writers[static_cast<size_t>(thread)].write(blocks[index]);
  }));
  for (PairWriter& writer : writers) NEARDUP_TRY(writer.finish());
  return {};
}

}  // namespace

Status resolve(const JoinedSets& sets, std::span<const HitList* const> lists, int num_threads, int first_thread,
               const PairSink& sink, const Context& context) {
  Blocks blocks;
  size_t num_hits = 0;
  for (const HitList* list : lists) {
    num_hits += list->size();
    blocks.insert(blocks.end(), list->blocks().begin(), list->blocks().end());
  }
  if (num_hits == 0) return {};
  NEARDUP_ASSIGN(const Positions left, find(blocks, num_hits, true, sets.self, sets.left, num_threads, context));
  if (sets.self) return write_all(blocks, sets, left, left, num_threads, first_thread, sink, context);
  NEARDUP_ASSIGN(const Positions right, find(blocks, num_hits, false, true, sets.right, num_threads, context));
  return write_all(blocks, sets, left, right, num_threads, first_thread, sink, context);
}

// Hit 16; the values, their sorted copy, its offsets and positions 8 + 8 + 4 + 4 for each of two; the filter up to 8.
uint64_t resolve_bytes(uint64_t hits) { return (16 + 2 * (8 + 8 + 4 + 4) + 8) * hits + (uint64_t{1} << 16); }

}  // namespace neardup::join
