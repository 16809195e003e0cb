// The stored document that one repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "neardup/base/result.h"
#include "neardup/store/candidates.h"
#include "neardup/store/document_store.h"
#include "neardup/store/stored_view.h"

namespace neardup::store {

/// Store::find_repeated() of what `view` shows; `candidates`: of the document, all. Threads: as the view. Errors: of
/// reading, those of `judge`.
[[nodiscard]] Result<std::optional<uint64_t>> find_repeated(const StoredView& view, const Record& document,
                                                            const Candidates& candidates, const Judge& judge,
                                                            std::span<const uint64_t> but);

/// Store::find_holders(); `candidates`: those to put the document.
[[nodiscard]] Result<std::vector<uint64_t>> find_holders(const StoredView& view, const Candidates& candidates,
                                                         size_t most, std::span<const uint64_t> but);

}  // namespace neardup::store
