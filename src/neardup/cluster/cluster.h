// cluster: candidate pairs -> clusters, and which document of each stays.
//
// Documents are named by rank here: 0 is the one that the keep rule prefers most (keep_rule.h). The order is total, so
// results do not depend on threads. Candidates are collected and sorted by a CandidateSet (candidates.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disjoint_sets.h"

namespace neardup::cluster {

/// The distance of two documents that were not compared: more than any two fingerprints or signatures differ.
inline constexpr uint32_t kUnknownDistance = 4095;

/// A candidate: two ranks, better < worse, and the smallest distance seen: of fingerprints in bits, of signatures in
/// values.
struct Candidate {
  uint32_t better = 0;
  uint32_t worse = 0;
  uint32_t distance = kUnknownDistance;
  auto operator<=>(const Candidate&) const = default;
};

/// Delivers all candidates in blocks, sorted by (worse, better), each once; an empty block = the end. A block stays
/// valid until the next call.
using CandidateSource = std::function<Result<std::span<const Candidate>>()>;

/// Is this candidate pair really similar? Called from many threads at once. The answer must depend on the pair alone.
struct Verdict {
  bool similar = false;
  float similarity = 0;
};
using Verify = std::function<Result<Verdict>(uint32_t better, uint32_t worse)>;

/// What became of one document.
struct Assignment {
  uint32_t kept = 0;      // rank of the kept document of its cluster; its own rank where it is kept itself
  float similarity = 1;   // to the kept document
  uint32_t distance = 0;  // as in Candidate; kUnknownDistance of components
  bool operator==(const Assignment&) const = default;
};

struct ClusterOptions {
  int num_threads = 0;          // 0 = all cores
  uint32_t num_references = 0;  // ranks below this are given (--reference): always kept, never compared with each other
  uint64_t total_candidates = 0;  // for progress only; 0 = unknown
  Context context = {};
  // For band_stars alone: the others are compared with these only, and not with each other.
  bool only_with_references = false;
  // The rest is for component_clusters alone.
  // Starts the candidates again from the first; without it no distance is known afterwards.
  std::function<Status()> rewind = nullptr;
  // The exact similarity of two documents that need not be similar; without it `verify` is asked.
  std::function<Result<float>(uint32_t better, uint32_t worse)> similarity = nullptr;
};

/// Stars: in order of rank, a document is removed if it is verified similar to a better one that is kept; it goes to
/// the first such one. Every removed document was verified against its kept one. Verifies lazily, in parallel.
/// Returns one Assignment for each rank. Memory: 13 bytes a document, and a few megabytes.
/// Errors: what `candidates` and `verify` return, kCorruption where the candidates are not in order, kCancelled.
[[nodiscard]] Result<std::vector<Assignment>> star_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                                            const Verify& verify, const ClusterOptions& options);

/// Connected components of all verified pairs; the best rank of each is kept, and so are all references in it.
/// Pairs that are already connected are not verified. A removed document carries its similarity to the kept one
/// (often below any threshold: they may be connected through others only), and the distance if the two were a
/// candidate. Memory: 16 bytes a document, and a few megabytes. Errors: as for star_clusters, and of the options' own.
[[nodiscard]] Result<std::vector<Assignment>> component_clusters(uint32_t num_documents,
                                                                 const CandidateSource& candidates,
                                                                 const Verify& verify, const ClusterOptions& options);

/// The second half of it: what becomes of each document when the sets of verified pairs are known. Distances are not.
[[nodiscard]] Result<std::vector<Assignment>> assign_components(uint32_t num_documents, DisjointSets& sets,
                                                                const Verify& verify, const ClusterOptions& options);

}  // namespace neardup::cluster
