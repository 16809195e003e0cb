// Doubts: signs that a run did not do what its user meant.
#pragma once

#include <string>
#include <vector>

#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns a warning with its cure for each of these: documents that are probably not UTF-8; pages without text, or of
/// which only a part was read; a field of --id-key, --keep or --group-key that no document has, or values of it that no
/// document has; one text file that became one document; web pages compared with their tags, tables read as one
/// document. Cost: one pass over the rows; the first bytes of an input where a field is missing.
[[nodiscard]] std::vector<std::string> doubts(const Documents& documents, const Sources& sources,
                                              const DedupOptions& options);

}  // namespace neardup::engine
