// Files to fingerprints: each is read once, equal ones are told by their checksums.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/sif/entries.h"
#include "neardup/sif/file.h"
#include "neardup/sif/index_folder.h"
#include "neardup/sif/options.h"

namespace neardup::sif {

struct ReadFiles {
  std::vector<File> files;  // of each that was found, in that order; a file's number is its place here
  std::vector<SkippedFile> skipped;
  std::vector<EntryBuckets> entries;  // of each thread. Of equal files one has some, it does not matter which
  uint64_t read_bytes = 0;
  uint64_t num_reused = 0;  // files whose fingerprints the index had: they were not read
};

/// Returns how much memory reading `found` takes beside the fingerprints: names, and files while they are looked at.
[[nodiscard]] uint64_t fixed_bytes(std::span<const FoundFile> found, const SimilarOptions& options);

/// Reads all of `found`. Files that cannot be read, and those that look binary where options.filter leaves them out,
/// are skipped. `index`: has, and gets, fingerprints; null: there is none. Errors: those of `index`; kCancelled;
/// kMemory, also where the fingerprints need more than options.memory_bytes; that and kIo where the system is short of
/// memory or descriptors.
[[nodiscard]] Result<ReadFiles> read_files(std::span<const FoundFile> found, const SimilarOptions& options,
                                           IndexFolder* index = nullptr);

}  // namespace neardup::sif
