// What each pair of files shares, counted in fingerprints.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/sif/posting_lists.h"

namespace neardup::sif {

/// Two files, and how much of each is in the other, from 0 to 1.
struct SimilarPair {
  uint32_t a = 0, b = 0;  // a < b; with references a is an input and b a reference, but for equal inputs
  float a_in_b = 0, b_in_a = 0;
  bool is_exact = false;  // counted, not estimated
  bool is_equal = false;  // the same bytes
  [[nodiscard]] float similarity() const { return a_in_b > b_in_a ? a_in_b : b_in_a; }
};

/// Returns all pairs of which, by the weights of the fingerprints they share, at least one file has its least
/// share of itself in the other; in no order. `least_shares`: by file. Files that are equal to an earlier one have no
/// pairs here. Pairs whose fingerprints in common are all crowds (posting_lists.h) are not found. Memory: 16 bytes a
/// file and thread, and the pairs. Errors: kCancelled; kMemory, also where the pairs are more than options.memory_bytes
/// allows.
[[nodiscard]] Result<std::vector<SimilarPair>> count_shared(const PostingLists& lists, const std::vector<File>& files,
                                                            const std::vector<float>& least_shares,
                                                            const SimilarOptions& options);

}  // namespace neardup::sif
