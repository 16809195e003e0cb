// Distance kernels for small distances: buckets of fingerprints that are compared by 32 of their bits first.
//
// Two random fingerprints agree within 3 of 32 bits once in 800,000 times, so the other half is looked at for hits
// alone, and a register holds twice as many as in match.h. Chosen at run time like those, and forced with them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/match/hits.h"

namespace neardup::match {

/// Beyond this distance the first half tells too little.
inline constexpr int kMaxNarrowDistance = 5;
/// So many readable words must follow the low halves of every bucket.
inline constexpr size_t kNarrowPadding = 64;

/// Where the low halves of a bucket lie: words[begin .. end). Without initial values, so that arrays of it cost
/// nothing.
struct NarrowRange {
  uint32_t begin;
  uint32_t end;
  [[nodiscard]] uint32_t size() const { return end - begin; }
};

/// Fingerprints in buckets by their highest bits after a rotation to the left, cut into low and high halves. The high
/// halves of all buckets of one part (2^part_bits neighbouring buckets) lie at one distance from the low halves.
struct NarrowBuckets {
  const uint32_t* words = nullptr;
  const NarrowRange* ranges = nullptr;         // [x]: of bucket x
  const uint32_t* distance_to_high = nullptr;  // [x >> part_bits]
  int part_bits = 0;
  int rotation = 0;

  [[nodiscard]] std::span<const uint32_t> lows(uint32_t x) const { return {words + ranges[x].begin, ranges[x].size()}; }
  /// Returns the fingerprint whose low half is words[i], of bucket x.
  [[nodiscard]] fingerprint::Fingerprint value(uint32_t x, uint32_t i) const {
    const uint64_t high = words[size_t{i} + distance_to_high[x >> part_bits]];
    return std::rotr(high << 32 | words[i], rotation);
  }
};

/// Some of the buckets to be compared with bucket x: x ^ mask for each mask, all with the same number of ones.
struct NarrowMasks {
  std::span<const uint32_t> masks;
  int ones = 0;
  bool upward = false;  // only where x ^ mask > x
};

/// What scan_narrow() compares: each bucket x in [begin, end) of `left` that holds at most `max_bucket` fingerprints
/// with the buckets of `right` that the groups name, and where `inside` is set with itself, each pair once.
struct NarrowScan {
  NarrowBuckets left;
  NarrowBuckets right;
  uint32_t begin = 0;
  uint32_t end = 0;
  std::span<const NarrowMasks> groups;
  bool inside = false;
  uint32_t max_bucket = UINT32_MAX;
  uint32_t* scratch = nullptr;  // room for the masks of the largest upward group
};

/// Collects every pair within max_distance. Hits have a from left and b from right.
/// Requires: max_distance <= kMaxNarrowDistance; bits of a bucket's number + 32 <= 64; no group with more ones.
void scan_narrow(const NarrowScan& scan, int max_distance, HitBuffer& hits);

/// Returns the first bucket in [begin, end) that may hold two equal words, or `end`: it has more than 512 words, or two
/// of them are equal. Requires: kNarrowPadding after each bucket.
[[nodiscard]] uint32_t next_with_equal_words(const uint32_t* words, const NarrowRange* ranges, uint32_t begin,
                                             uint32_t end);

/// Returns how many fingerprints scan_narrow() compares at once.
[[nodiscard]] size_t narrow_lanes();
/// Returns about how many cycles it takes for one left fingerprint against so many right ones, `limit` bits at most.
[[nodiscard]] double narrow_step_cycles(int limit);

}  // namespace neardup::match
