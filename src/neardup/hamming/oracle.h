// The two naive ways to find all within k bits, that every other one is held against: linear scan, and all flips.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/static_index.h"

namespace neardup::hamming {

/// Appends every (fingerprints[i], documents[i]) within max_distance of `query`, by i. `documents` empty: i itself.
/// Cost: one comparison for each stored fingerprint. Threads: any.
template <fingerprint::AnyFingerprint F>
void linear_scan(std::span<const F> fingerprints, std::span<const uint64_t> documents, F query, int max_distance,
                 std::vector<Match<F>>& matches);

/// Finds each fingerprint within reach of a query by looking up every value within reach of it in a sorted list.
/// Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class FlipList {
 public:
  /// As in linear_scan().
  FlipList(std::span<const F> fingerprints, std::span<const uint64_t> documents);

  /// Appends every stored document within max_distance of `query`, in the order of the flips.
  /// Cost: a binary search for each choice of at most max_distance among the bits that vary in the list (43,745 of 64
  /// with k = 3). The other bits are flipped where the query differs from all that is stored, and only there.
  void query(F query, int max_distance, std::vector<Match<F>>& matches) const;

 private:
  struct Entry {
    F fingerprint;
    uint64_t document;
  };
  void look_up(F value, F query, std::vector<Match<F>>& matches) const;
  void flip(F value, F query, int first_bit, int flips, std::vector<Match<F>>& matches) const;

  std::vector<Entry> entries_;  // by fingerprint
  F varying_ = 0;               // bits that are not the same in all
};

}  // namespace neardup::hamming
