// All pairs, or the clusters, of fingerprints that are held in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/engine/fingerprints/pair_receiver.h"
#include "neardup/engine/fingerprints/table.h"

namespace neardup::engine {

struct MemoryPairs {
  const FingerprintTable& left;
  const FingerprintTable* right = nullptr;  // null: pairs within `left`
  int max_distance = 3;
  int num_threads = 0;
  uint64_t memory_bytes = 0;  // beside what the files take
  Context context;
};

/// Hands on all pairs of documents of which some fingerprint lies within the distance, in the order of the documents,
/// each once with its smallest distance. Errors: kMemory, kCancelled; those of `receiver`.
[[nodiscard]] Status find_pairs(const MemoryPairs& job, PairReceiver& receiver);

/// Hands on each document of job.left that does not stay, the one that stays in its place, and their distance. Errors:
/// as above; kInvalidArgument where documents have several fingerprints.
[[nodiscard]] Status find_clusters(const MemoryPairs& job, cluster::ClusterKind kind, PairReceiver& receiver);

/// Returns whether the documents of two files can be compared. `names`: of both, for messages. Errors: kMismatch where
/// other recipes made them, or where they have other numbers of fingerprints or values.
[[nodiscard]] Status check_comparable(const std::vector<std::string>& names, const FingerprintTable& left,
                                      const FingerprintTable& right);

}  // namespace neardup::engine
