// Pairs counted exactly: in all substrings, not in those that were kept as fingerprints.
#pragma once

#include <vector>

#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/shared_counter.h"

namespace neardup::sif {

/// Sets the shares of the pairs from `first` on to those of the sets of their substrings, and takes those out that are
/// below options.threshold. Pairs of files that have changed since they were read, and of those whose substrings need
/// more memory than there is, keep their estimates; `is_exact` tells. Cost: files of pairs are read again, each takes
/// some 10 ns a byte, and each pair some 100 ns for each passage and a few for each 25 bytes of the smaller one.
/// Errors: kCancelled, kMemory.
[[nodiscard]] Status verify_pairs(std::vector<SimilarPair>& pairs, size_t first, const std::vector<File>& files,
                                  const SimilarOptions& options);

}  // namespace neardup::sif
