// Whole keys, sorted: the part of them that a bucket is, and those of them within reach of a key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// Returns the value whose `count` least significant bits are ones. Requires: 0 <= count <= the width of F.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] constexpr F low_ones(int count) {
  return count == fingerprint::kBitsOf<F> ? static_cast<F>(~F{0}) : (F{1} << count) - 1;
}

/// The keys that share their first `places` places with `key`: from first to last, both included.
template <fingerprint::AnyFingerprint F>
struct KeyRange {
  constexpr KeyRange(F key, int places)
      : first(key & static_cast<F>(~low_ones<F>(fingerprint::kBitsOf<F> - places))),
        last(key | low_ones<F>(fingerprint::kBitsOf<F> - places)) {}
  F first;
  F last;
};

/// Returns the first i in [begin, end) with keys[i] >= key, or end. Requires: keys ascend there, begin <= guess.
/// Cost: about 2 log2 of the distance between guess and answer.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] uint64_t lower_bound_near(const F* keys, uint64_t begin, uint64_t end, uint64_t guess, F key) {
  uint64_t step = 1;
  if (guess < end && keys[guess] < key) {
    for (begin = guess + 1; begin + step <= end && keys[begin + step - 1] < key; step *= 2) begin += step;
    if (begin + step <= end) end = begin + step - 1;
  } else {
    for (end = guess < end ? guess : end; end - begin >= step && keys[end - step] >= key; step *= 2) end -= step;
    if (end - begin >= step) begin = end - step + 1;
  }
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (keys[middle] < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Appends {keys[i], first_rank + i} for each key that differs from `key` in at most max_distance bits, by i. Chosen at
/// run time for the machine (Highway). Cost: about keys / lanes vector steps.
template <fingerprint::AnyFingerprint F>
void scan_keys(std::span<const F> keys, F key, int max_distance, uint64_t first_rank,
               std::vector<TableCandidate<F>>& out);

}  // namespace neardup::hamming
