// The match stage: exact groups -> candidates within k bits -> verified clusters -> the fate of each document.
#pragma once

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Decides every document's fate. With options.write_pairs also writes all verified pairs to `pairs_path`.
/// Errors: kMemory where options.memory_bytes cannot hold what each document needs; kIo, kDiskFull, kCancelled.
[[nodiscard]] Result<Outcome> match_documents(const Documents& documents, const ExactGroups& groups,
                                              const DedupOptions& options, const WorkFolder& folder,
                                              const std::string& pairs_path, const Context& context);

}  // namespace neardup::engine
