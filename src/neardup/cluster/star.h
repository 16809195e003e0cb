// Stars: every removed document is similar to the kept one of its cluster.
#pragma once

#include <vector>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

/// Stars: in order of rank, a document is removed if it is verified similar to a better one that is kept; it goes to
/// the first such one. Every removed document was verified against its kept one. Verifies lazily, in parallel.
/// Returns one Assignment for each rank. Memory: 13 bytes a document, and a few megabytes.
/// Errors: what `candidates` and `verify` return, kCorruption where the candidates are not in order, kCancelled.
[[nodiscard]] Result<std::vector<Assignment>> star_clusters(uint32_t num_documents, const CandidateSource& candidates,
                                                            const Verify& verify, const ClusterOptions& options);

}  // namespace neardup::cluster
