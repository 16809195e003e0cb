// The command that says why a document was removed.
#pragma once

#include <string>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns "neardup explain ... KEPT REMOVED" with the flags of the run, as a shell takes it. Where the inputs are
/// too many, or standard input, which is gone, the end of the command says so and what stands for them. References are
/// among options.explain_flags. Requires: `document` was removed.
[[nodiscard]] std::string explain_command(const Documents& documents, const Outcome& outcome,
                                          const DedupOptions& options, uint32_t document);

/// Returns such a command up to the two ids, for any documents of files; empty where more must be said behind the ids.
[[nodiscard]] std::string explain_beginning(const Outcome& outcome, const DedupOptions& options);

}  // namespace neardup::engine
