// What the report's threshold works on: the documents of clusters and the pairs that tie them.
#pragma once

#include <span>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/write/clusters.h"
#include "neardup/engine/write/summary.h"
#include "neardup/report/exploration.h"

namespace neardup::engine {

/// Returns the documents of clusters in the order of preference, with every verified pair where `outcome` has them,
/// else with that of each removed document and its kept one. Of more documents than a page holds, or --memory allows,
/// the largest clusters, without other pairs; the rest is counted. `sources` are those of the report of the same run.
[[nodiscard]] report::Exploration explore(const Documents& documents, const ExactGroups& groups, const Outcome& outcome,
                                          const Clusters& clusters, const ShownDocuments& shown,
                                          std::span<const report::Tally> sources, const DedupOptions& options);

}  // namespace neardup::engine
