// The kernels: close pairs of two lists, of buckets.
//
// Chosen at run time for the machine (Highway): the same hits on every target, in an order that may differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint/value.h"
#include "neardup/match/hits.h"

namespace neardup::match {

/// So many readable elements must follow the last one of every list that a kernel reads as its right side.
inline constexpr size_t kPadding = 32;

/// Fingerprints grouped in buckets: bucket x is keys[offsets[x] .. offsets[x + 1]).
struct Buckets {
  const fingerprint::Fingerprint* keys = nullptr;  // followed by kPadding readable elements
  const uint32_t* offsets = nullptr;               // one more than there are buckets

  [[nodiscard]] size_t size(uint32_t x) const { return offsets[x + 1] - offsets[x]; }
  [[nodiscard]] std::span<const fingerprint::Fingerprint> operator[](uint32_t x) const {
    return {keys + offsets[x], size(x)};
  }
};

/// What scan_buckets() compares: each bucket x in [begin, end) of `left` that holds at most `max_bucket` keys
/// - with bucket x ^ mask of `right` for each of `masks`, and
/// - with bucket x ^ mask of `right` for each of `upper_masks` where x ^ mask > x, and
/// - where `inside` is set, each pair of bucket x once (left and right are then the same table).
struct BucketScan {
  Buckets left;
  Buckets right;
  uint32_t begin = 0;
  uint32_t end = 0;
  std::span<const uint32_t> masks;
  std::span<const uint32_t> upper_masks;
  bool inside = false;
  uint32_t max_bucket = UINT32_MAX;
  uint32_t* scratch = nullptr;  // room for masks.size() + upper_masks.size() numbers
};

/// Collects every pair within max_distance of the buckets that `scan` names. Hits have a from left and b from right.
/// Cost: about left x right / lanes vector steps per pair of buckets, and a few cycles for each pair of buckets.
void scan_buckets(const BucketScan& scan, int max_distance, HitBuffer& hits);

/// Collects every pair a of `left`, b of `right` within max_distance. Requires: kPadding after `right`.
void match_lists(std::span<const fingerprint::Fingerprint> left, std::span<const fingerprint::Fingerprint> right,
                 int max_distance, HitBuffer& hits);

/// Collects every pair i < j of `list` within max_distance, once, a = list[i]. Requires: kPadding after `list`.
void match_self(std::span<const fingerprint::Fingerprint> list, int max_distance, HitBuffer& hits);

/// Returns how many fingerprints the kernels of this machine compare at once.
[[nodiscard]] size_t kernel_lanes();
/// Returns about how many cycles they take for one left key against kernel_lanes() right keys, for cost models.
[[nodiscard]] double kernel_step_cycles();
/// Returns the name of the instruction set that the kernels run on, such as "AVX2".
[[nodiscard]] const char* kernel_target();
/// Returns the names of all that this machine could run them on, best first.
[[nodiscard]] std::vector<std::string> kernel_targets();
/// Makes all kernels of the process run on the target of that name from now on, on the best one where it is empty;
/// returns false where there is none of that name. For tests and benchmarks; not while kernels run.
bool force_kernel_target(std::string_view name);

}  // namespace neardup::match
