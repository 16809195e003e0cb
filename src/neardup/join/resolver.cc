// Tables hold values only, so a join carries 8 bytes a fingerprint instead of 12. The price is here: positions are
// looked up once for many hits, by a pass over the set that costs a few nanoseconds a fingerprint. Few hits at a time
// would make that dear, so emitters collect as many as their memory allows.
#include "neardup/join/resolver.h"

#include "neardup/base/large_array.h"
#include "neardup/base/threads.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using match::Hit;

using HitBlocks = std::vector<std::span<const Hit>>;

// The values on one side of the hits, or on both.
LargeArray<Fingerprint> values_of(const HitBlocks& blocks, size_t num_hits, bool left, bool right, size_t& size) {
  LargeArray<Fingerprint> values(num_hits * (left && right ? 2 : 1));
  size = 0;
  for (const auto& block : blocks) {
    for (const Hit& hit : block) {
      if (left) values[size++] = hit.a;
      // A value with itself is asked for once.
      if (right && (!left || hit.b != hit.a)) values[size++] = hit.b;
    }
  }
  return values;
}

Result<ValuePositions> find(const HitBlocks& blocks, size_t num_hits, bool left, bool right,
                            std::span<const Fingerprint> set, int num_threads, const Context& context) {
  size_t size = 0;
  const LargeArray<Fingerprint> values = values_of(blocks, num_hits, left, right, size);
  return ValuePositions::find({values.data(), size}, set, num_threads, context);
}

Status write_all(const HitBlocks& blocks, const JoinedSets& sets, const ValuePositions& left,
                 const ValuePositions& right, int num_threads, int first_thread, const PairSink& sink,
                 const Context& context) {
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
  HitBlocks blocks;
  size_t num_hits = 0;
  for (const HitList* list : lists) {
    num_hits += list->size();
    blocks.insert(blocks.end(), list->blocks().begin(), list->blocks().end());
  }
  if (num_hits == 0) return {};
  NEARDUP_ASSIGN(const ValuePositions left, find(blocks, num_hits, true, sets.self, sets.left, num_threads, context));
  if (sets.self) return write_all(blocks, sets, left, left, num_threads, first_thread, sink, context);
  NEARDUP_ASSIGN(const ValuePositions right, find(blocks, num_hits, false, true, sets.right, num_threads, context));
  return write_all(blocks, sets, left, right, num_threads, first_thread, sink, context);
}

// Hit 16; the values, their sorted copy, its offsets and positions 8 + 8 + 4 + 4 for each of two; the filter up to 8.
uint64_t resolve_bytes(uint64_t hits) { return (16 + 2 * (8 + 8 + 4 + 4) + 8) * hits + (uint64_t{1} << 16); }

}  // namespace neardup::join
