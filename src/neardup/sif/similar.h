// The whole search for similar files.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/shared_counter.h"

namespace neardup::sif {

/// What a search found.
struct SimilarFiles {
  std::vector<File> files;           // inputs first, then references, each in the order in which they were found
  std::vector<SkippedFile> skipped;  // by path
  std::vector<SimilarPair> pairs;    // the most similar first, then by number; equal files before all others
  uint64_t num_read = 0;             // files that were compared
  uint64_t num_reused = 0;           // of these, whose fingerprints the index had: they were not read
  uint64_t read_bytes = 0;           // of all files that were read
  uint64_t num_estimates = 0;        // pairs that options.verify could not count: a file was too large, or has changed
  uint64_t num_fingerprints = 0;     // of all files, equal ones once
  uint64_t num_common = 0, common_limit = 0;  // passages in more than so many files, by options.common
  uint64_t num_by_common = 0;                 // pairs that kIgnore would not list, or few of them; 0 but for kCount
  uint64_t num_crowds = 0, crowd_limit = 0;   // those in so many files that their pairs alone are not listed
};

/// Compares all files of options.inputs with each other, or with options.references. A file that equals an earlier one
/// of its side has one pair, with that; all that is similar to it is found with the first.
/// Deterministic: the same for any number of threads. Errors: those of find_files() and IndexFolder; kInvalidArgument
/// of options; kMemory, where files, their fingerprints or pairs need more; kCancelled.
[[nodiscard]] Result<SimilarFiles> find_similar(const SimilarOptions& options);

/// Returns groups of files that are connected by `pairs`, each ascending, the largest first, then by their first file.
/// Files of no pair are in none.
[[nodiscard]] std::vector<std::vector<uint32_t>> groups_of(const std::vector<SimilarPair>& pairs, size_t num_files);

}  // namespace neardup::sif
