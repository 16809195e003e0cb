// The stored document that one repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// Store::find_repeated() of what `state` holds. Threads: any. Errors: of reading, those of `judge`.
[[nodiscard]] Result<std::optional<uint64_t>> find_repeated(const StoreState& state, const Record& document,
                                                            const Judge& judge, std::span<const uint64_t> but);

/// Store::find_holders().
[[nodiscard]] std::vector<uint64_t> find_holders(const StoreState& state, const Record& document, size_t most,
                                                 std::span<const uint64_t> but);

}  // namespace neardup::store
