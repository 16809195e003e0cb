// Texts of stored documents, for the report.
#pragma once

#include <vector>

#include "neardup/engine/read/documents.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/engine/write/kept_files.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Adds the texts of those of `wanted` that are documents of `store`, as write_kept() does of others, where the store
/// keeps texts. Errors: of reading it.
[[nodiscard]] Status add_stored_texts(const RunStore& store, const Documents& documents,
                                      const std::vector<uint32_t>& wanted, const recipe::Recipe& recipe,
                                      ShownTexts& texts);

}  // namespace neardup::engine
