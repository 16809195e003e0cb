// Components: whoever is similar to anyone of a cluster belongs to it.
#pragma once

#include <vector>

#include "neardup/base/disjoint_sets.h"
#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

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
