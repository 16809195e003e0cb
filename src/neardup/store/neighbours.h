// The stored documents that are near one.
#pragma once

#include <cstddef>

#include "neardup/base/result.h"
#include "neardup/store/candidates.h"
#include "neardup/store/document_store.h"
#include "neardup/store/stored_view.h"

namespace neardup::store {

/// Store::query() of what `view` shows; `candidates`: of the document, all. Threads: as the view. Errors: of reading,
/// those of `judge`.
[[nodiscard]] Result<StoredNeighbours> find_neighbours(const StoredView& view, const Record& document,
                                                       const Candidates& candidates, const Judge& judge, size_t limit);

}  // namespace neardup::store
