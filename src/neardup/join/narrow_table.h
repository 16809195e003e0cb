// Tables for small distances: parts by the highest bits of a block, and inside each part buckets of halves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/large_array.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/plan.h"
#include "neardup/match/narrow.h"

namespace neardup::join {

/// How a block of neighbouring bits names buckets: after a rotation to the left its bits are the highest ones; the
/// first of them choose a part, the rest a bucket in it.
struct NarrowCut {
  int rotation = 0;
  int bits = 0;
  int low_bits = 0;

  /// Requires: the bits of the block's mask are neighbours, as those of a plan for all 64 bits are.
  NarrowCut(const JoinBlock& block, uint64_t num_fingerprints);
  [[nodiscard]] size_t num_parts() const { return size_t{1} << (bits - low_bits); }
  [[nodiscard]] uint32_t part_buckets() const { return uint32_t{1} << low_bits; }
};

/// Rotated fingerprints, those of one part side by side.
class Parts {
 public:
  /// Cost: `set` is read twice and written once. Errors: kCancelled.
  [[nodiscard]] Status build(std::span<const fingerprint::Fingerprint> set, const NarrowCut& cut, int num_threads,
                             const Context& context);
  [[nodiscard]] std::span<uint64_t> part(size_t i) { return {keys_.data() + begins_[i], begins_[i + 1] - begins_[i]}; }
  [[nodiscard]] uint32_t begin(size_t i) const { return begins_[i]; }
  [[nodiscard]] size_t largest() const;
  [[nodiscard]] uint64_t* keys() { return keys_.data(); }
  void clear() { keys_ = {}; }

 private:
  LargeArray<uint64_t> keys_;     // rotated
  std::vector<uint32_t> begins_;  // of each part, and the end of the last
};

/// Returns whether all parts would be small enough, by a sample of a million: where one would hold far more than its
/// share, narrow tables are not for this set.
[[nodiscard]] bool evenly_spread(std::span<const fingerprint::Fingerprint> set, const JoinPlan& plan);

/// Values that a table found more than once.
using Repeated = std::vector<fingerprint::Fingerprint>;

/// Groups the rotated fingerprints of a part: words[begin ..) gets the low halves bucket by bucket and, keys.size()
/// words further on, the high halves; ranges[0 .. part_buckets) where each bucket lies. Equal ones are left out but
/// one, and go to `repeated`, once. Requires: `keys` is not in the words that are written.
void group_part(std::span<const uint64_t> keys, const NarrowCut& cut, uint32_t begin, uint32_t* words,
                match::NarrowRange* ranges, Repeated& repeated);

/// One part that is made, looked at and forgotten. Memory is used again.
class PassingPart {
 public:
  void build(std::span<const uint64_t> keys, const NarrowCut& cut, Repeated& repeated);
  /// Bucket numbers count from the first bucket of the part.
  [[nodiscard]] match::NarrowBuckets buckets() const;

 private:
  LargeArray<uint32_t> words_;             // low halves by bucket, then high halves in the same order
  LargeArray<match::NarrowRange> ranges_;  // [bucket]
  uint32_t distance_to_high_ = 0;          // in words
  int low_bits_ = 0;
  int rotation_ = 0;
};

/// A whole table in memory: 8 bytes for each fingerprint and 8 for each bucket.
class NarrowTable {
 public:
  /// Requires: set.size() < 2^31 - kNarrowPadding. Errors: kCancelled.
  [[nodiscard]] Status build(std::span<const fingerprint::Fingerprint> set, const NarrowCut& cut, int num_threads,
                             Repeated& repeated, const Context& context);
  [[nodiscard]] match::NarrowBuckets buckets() const;
  /// The parts' memory, for a table without flips that needs no other.
  [[nodiscard]] Parts& parts() { return parts_; }

 private:
  Parts parts_;                              // its keys, overwritten by the words
  LargeArray<match::NarrowRange> ranges_;    // [bucket]
  std::vector<uint32_t> distances_to_high_;  // [part], in words
  int low_bits_ = 0;
  int rotation_ = 0;
};

/// Returns an upper bound of what one thread takes to build a table of so many fingerprints, beyond the table.
[[nodiscard]] uint64_t narrow_scratch_bytes(uint64_t num_fingerprints);

}  // namespace neardup::join
