// cluster: candidate pairs -> clusters, and which document of each stays.
//
// Documents are named by rank here: 0 is the one that the keep rule prefers most. The order is total, so results do
// not depend on threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neardup/base/context.h"

namespace neardup::cluster {

/// A candidate: two ranks, better < worse, and the smallest fingerprint distance seen (255 = unknown).
struct Candidate {
  uint32_t better = 0;
  uint32_t worse = 0;
  uint32_t distance = 255;
  auto operator<=>(const Candidate&) const = default;
};

/// Delivers all candidates in blocks, sorted by (worse, better), each once; an empty block = the end.
using CandidateSource = std::function<Result<std::span<const Candidate>>()>;

/// Is this candidate pair really similar? Called from many threads at once.
struct Verdict {
  bool similar = false;
  float similarity = 0;
};
using Verify = std::function<Result<Verdict>(uint32_t better, uint32_t worse)>;

/// What became of one document.
struct Assignment {
  uint32_t kept = 0;        // rank of the kept document of its cluster; its own rank where it is kept itself
  float similarity = 1;     // to the kept document
  uint32_t distance = 0;    // of the fingerprints, 255 = not known (components)
};

struct ClusterOptions {
  int num_threads = 0;
  uint32_t num_references = 0;   // ranks below this are given (--reference): always kept, never compared with each other
  Context context;
};

/// Stars: in order of rank, a document is removed if it is verified similar to a better one that is kept; it goes to
/// the first such one. Every removed document was verified against its kept one. Verifies lazily, in parallel.
[[nodiscard]] Result<std::vector<Assignment>> star_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                                            const Verify& verify, const ClusterOptions& options);

/// Connected components of all verified pairs; the best rank of each is kept.
[[nodiscard]] Result<std::vector<Assignment>> component_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                                                 const Verify& verify, const ClusterOptions& options);

}  // namespace neardup::cluster
