// The outcome of a run as the fates of rows.
#pragma once

#include <cstdint>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/run/dedup_documents.h"

namespace neardup::engine {

/// Returns the fate of each of `num_rows` rows, of which `documents` are those that were not rejected, behind the
/// references.
[[nodiscard]] RowFates fates_of_rows(const Documents& documents, const Outcome& outcome, uint64_t num_rows);

/// Returns the number of the row that `document` is, of the inputs or of the references.
[[nodiscard]] uint64_t row_of_document(const Documents& documents, uint32_t document);

}  // namespace neardup::engine
