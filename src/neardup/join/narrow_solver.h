// Joins within a few bits, where fingerprints are compared by half first: of one set, or of one set with chunks of
// another.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "neardup/fingerprint/value.h"
#include "neardup/join/emitter.h"
#include "neardup/join/narrow_table.h"
#include "neardup/join/solver.h"

namespace neardup::join {

/// Gives every pair of `set` within environment.max_distance once to an emitter of the crew, and every value that
/// stands there more than once. Memory: 8 bytes for each fingerprint, and 8 for each bucket where the plan has flips.
/// Requires: a plan for all 64 bits; max_distance <= kMaxNarrowDistance; set.size() < 2^31 - kNarrowPadding.
/// Errors: kCancelled, what the sink returns.
[[nodiscard]] Status solve_narrow(std::span<const fingerprint::Fingerprint> set, const JoinPlan& plan,
                                  const EmitterCrew& crew, const Environment& environment);

/// The same for every pair of `left` and `right`. Memory: 8 bytes for each fingerprint, and 8 for each bucket.
[[nodiscard]] Status solve_narrow(std::span<const fingerprint::Fingerprint> left,
                                  std::span<const fingerprint::Fingerprint> right, const JoinPlan& plan,
                                  const EmitterCrew& crew, const Environment& environment);

/// One set in tables, one for each block of a plan, and another that comes in chunks.
/// A chunk is cut into parts, and each part into buckets in cache, where the few fingerprints of the left set that
/// belong there are held against it: nothing of the chunk is written back.
class NarrowProbe {
 public:
  /// Requires: as for solve_narrow(). Memory: left_bytes().
  [[nodiscard]] static Result<NarrowProbe> build(std::span<const fingerprint::Fingerprint> left, uint64_t chunk_size,
                                                 const JoinPlan& plan, int num_threads, const Context& context);
  /// Gives every pair of the left set with `chunk` once to an emitter of the crew. Memory: 8 bytes for each fingerprint
  /// of the chunk, used again. Requires: chunk.size() < 2^31 - kNarrowPadding. Errors: kCancelled, what the sink
  /// returns.
  [[nodiscard]] Status join(std::span<const fingerprint::Fingerprint> chunk, const EmitterCrew& crew,
                            const Environment& environment);
  /// Returns what the tables of so many fingerprints take.
  [[nodiscard]] static uint64_t left_bytes(uint64_t left, const JoinPlan& plan);

 private:
  struct Side {
    JoinBlock block;  // what this table cuts by
    NarrowCut cut;
    NarrowTable table;  // of the left set, for good
    uint32_t max_bucket;
    std::vector<uint32_t> hot;  // left buckets with more
  };
  NarrowProbe() = default;
  std::vector<std::unique_ptr<Side>> sides_;  // in the order of the plan: the earlier ones are rules of the later
  Parts parts_;                               // of the chunk at hand; memory is used again
};

}  // namespace neardup::join
