// Pairs counted exactly: in all substrings, not in those that were kept as fingerprints.
#pragma once

#include <vector>

#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/shared_counter.h"

namespace neardup::sif {

/// Sets the shares of all pairs to those of the sets of their substrings, and leaves out pairs that are below
/// options.threshold. Files that have changed since they were read, and those whose substrings need more memory than
/// there is, keep their estimates; `is_exact` tells. Cost: files of pairs are read again, each pair takes some 2 ns a
/// byte of both. Requires: pairs ascend by a. Errors: kCancelled, kMemory.
[[nodiscard]] Status verify_pairs(std::vector<SimilarPair>& pairs, const std::vector<File>& files,
                                  const SimilarOptions& options);

}  // namespace neardup::sif
