// Clusters of a set of fingerprints without the list of its pairs, which is hopelessly long where many are alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/value.h"
#include "neardup/join/pair.h"

namespace neardup::cluster {

/// Two fingerprints are similar where they differ in at most max_distance bits. The position is the rank: of two, the
/// earlier one is preferred.
enum class ClusterKind {
  kStar,  // in order of rank, each that is similar to an earlier one that stays goes to the first such; else it stays
  kComponents,  // connected components of all similar pairs; the first of each stays
};

/// Returns for each fingerprint the position of the one that stays in its place, its own where it stays: what
/// star_clusters() and component_clusters() make of the list of all pairs.
/// Cost: that of a join where pairs are few. Of a cluster of m that are all alike, about m log m pairs are met instead
/// of m^2 / 2, whatever max_distance is. Memory: 40 bytes for each fingerprint beyond what options.memory_bytes limits.
/// Errors: kInvalidArgument (also for more than 2^31 fingerprints), kMemory, kCancelled.
[[nodiscard]] Result<std::vector<uint32_t>> cluster_join(std::span<const fingerprint::Fingerprint> set,
                                                         ClusterKind kind, const join::JoinOptions& options);

}  // namespace neardup::cluster
