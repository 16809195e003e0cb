// The lists of a run: duplicates.jsonl, clusters.jsonl, rejected.jsonl (docs/formats/results.md).
#pragma once

#include <string>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/write/clusters.h"

namespace neardup::engine {

/// One line per removed document, in the order of the documents:
/// {"id","duplicate_of","cluster","kind","distance","similarity"}; distance is null where it is not known; "route" is
/// added where two short texts were compared by their characters. Returns the number of lines.
[[nodiscard]] Result<uint64_t> write_duplicates(const Documents& documents, const Outcome& outcome,
                                                const Clusters& clusters, const std::string& path,
                                                const Context& context);

/// One line per cluster with a removed document: {"cluster","kept","members"}, the kept one first in members.
[[nodiscard]] Status write_clusters(const Documents& documents, const Clusters& clusters, const std::string& path,
                                    const Context& context);

/// One line per rejected record: {"file","line","reason","message","excerpt"}; line is null for text files. The file
/// at `stdin_copy` is shown as "-". Returns the number of lines, those of references left out.
[[nodiscard]] Result<uint64_t> write_rejected(const Documents& documents, const std::string& stdin_copy,
                                              const std::string& path);

}  // namespace neardup::engine
