// The stored documents that are near one.
#pragma once

#include <cstddef>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// Store::query() of what `state` holds. Threads: any. Errors: of reading, those of `judge`.
[[nodiscard]] Result<StoredNeighbours> find_neighbours(const StoreState& state, const Record& document,
                                                       const Judge& judge, size_t limit);

}  // namespace neardup::store
