// Looking around in a store: documents in order, clusters, tags, times.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// Store::for_each(), for_each_to_copy(), duplicates_of() and tags() of what `state` holds. Threads: any. Errors: of
/// reading.
[[nodiscard]] Result<std::optional<uint64_t>> visit_documents(const StoreState& state, uint64_t first, size_t limit,
                                                              const Store::Visitor& visit);
[[nodiscard]] Result<std::optional<uint64_t>> visit_to_copy(const StoreState& state, uint64_t first, size_t limit,
                                                            const Store::CopyVisitor& visit);
[[nodiscard]] Result<std::vector<Member>> members_of(const StoreState& state, std::string_view id, uint64_t first,
                                                     size_t limit);
[[nodiscard]] Result<std::vector<TagCount>> count_tags(const StoreState& state);

/// Returns the documents whose time is known and before `before`, ascending, erased ones and those of open tags too.
/// Reads 12 bytes of each document of the logs that hold such a one, no record. Errors: of reading.
[[nodiscard]] Result<std::vector<uint64_t>> numbers_before(const StoreState& state, int64_t before);

}  // namespace neardup::store
