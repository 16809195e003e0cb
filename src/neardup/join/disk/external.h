// Joins of sets that are larger than memory, through a work folder: they go on where they were stopped.
#pragma once

#include <string>

#include "neardup/join/disk/pair_sorter.h"
#include "neardup/join/disk/source.h"

namespace neardup::join {

/// How an external join is cut. The k + 1 tables of the classic pigeonhole take the first `bits` bits of k + 1 equal
/// blocks; each table cuts the sets into 2^bits partitions on disk, and only fingerprints of one partition are
/// compared. Partitions beyond `chunk` fingerprints are read in chunks, each joined with each.
struct ExternalLayout {
  int bits = 0;
  uint64_t chunk = 0;
  bool operator==(const ExternalLayout&) const = default;
};

struct ExternalOptions {
  int max_distance = 3;
  int num_threads = 0;
  uint64_t memory_bytes = uint64_t{4} << 30;  // for everything; at least kLeastMemory
  /// Created if it is not there. Belongs to one join; finished parts stay there until it is removed.
  std::string folder;
  /// Says what is joined, such as paths, sizes and times: work of another input or distance is refused.
  std::string identity;
  ExternalLayout layout = {};  // chunk 0: chosen by size and memory
  Context context = {};

  static constexpr uint64_t kLeastMemory = uint64_t{16} << 20;
};

/// Returns the cut for sets of this size, the larger of the two: no bits where chunks against chunks are fewer steps.
[[nodiscard]] ExternalLayout choose_layout(uint64_t size, int max_distance, uint64_t memory_bytes);

/// Delivers every pair a < b of `set` within max_distance once, ascending by (a, b). Killed at any moment and called
/// again with the same folder, it does the steps that are not finished and delivers the same pairs.
/// Disk: 16 bytes for each fingerprint (one table at a time), and 24 for each pair, twice.
/// Errors: kInvalidArgument, kMemory, kMismatch (the folder is of another join), kCorruption, kIo, kDiskFull,
/// kCancelled, what the source and the sink return.
[[nodiscard]] Status external_self_join(Source& set, const ExternalOptions& options, const SortedSink& sink);

/// The same for pairs a of `left`, b of `right`.
[[nodiscard]] Status external_cross_join(Source& left, Source& right, const ExternalOptions& options,
                                         const SortedSink& sink);

}  // namespace neardup::join
