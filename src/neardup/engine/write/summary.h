// The summary: the figures and examples of a run as a report.
#pragma once

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/write/clusters.h"
#include "neardup/engine/write/kept_files.h"
#include "neardup/report/figures.h"

namespace neardup::engine {

/// Which documents the report shows: the largest clusters, and pairs over the whole range of similarities.
struct ShownDocuments {
  std::vector<uint32_t> clusters;  // numbers of the largest clusters, largest first
  std::vector<uint32_t> removed;   // removed documents shown beside their kept ones, least similar first
  /// All documents whose texts are needed, ascending, each once.
  [[nodiscard]] std::vector<uint32_t> documents(const Outcome& outcome, const Clusters& table) const;
};
/// Of near-duplicates fifty (of different clusters, where there are) from each band of similarity, kBandWidth wide from
/// the lowest threshold of `rule` up, drawn by chance that is the same in each run; one exact copy.
[[nodiscard]] ShownDocuments choose_shown(const Outcome& outcome, const Clusters& clusters, const verify::Rule& rule);
inline constexpr double kBandWidth = 0.1;

/// Returns under which name the figures of the report count what is in `input`: its own; of text files, which hold one
/// document each, their folder.
[[nodiscard]] std::string source_name(const corpus::Input& input);

/// Returns the report without the figures of the run itself (stages, seconds, memory, command) and without what is to
/// be explored (explore()).
[[nodiscard]] Result<report::Report> summarize(const Documents& documents, const Outcome& outcome,
                                               const Clusters& clusters, const ShownDocuments& shown,
                                               const ShownTexts& texts, const DedupOptions& options);

}  // namespace neardup::engine
