// Queries of a store on a server: documents by id, by number, in order, by cluster and by tag.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "neardup/remote/backend.h"
#include "neardup/remote/stored_records.h"
#include "neardup/store/document_store.h"

namespace neardup::remote {

// Store::find(), find_number(), for_each(), for_each_to_copy(), duplicates_of() and tags(). Errors: those of the
// backend.
[[nodiscard]] Result<bool> find_id(Backend& backend, std::string_view id, const store::Store::Visitor& visit);
[[nodiscard]] Result<bool> find_number(Backend& backend, uint64_t number, const store::Store::Visitor& visit);
[[nodiscard]] Result<std::optional<uint64_t>> visit_documents(Backend& backend, uint64_t first, size_t limit,
                                                              const store::Store::CopyVisitor& visit,
                                                              bool in_open_tags);
[[nodiscard]] Result<std::vector<store::Member>> members_of(Backend& backend, std::string_view id, uint64_t first,
                                                            size_t limit);
[[nodiscard]] Result<std::vector<store::TagCount>> count_tags(Backend& backend);
/// Returns the documents in no open tag whose time is known and before `before`, ascending.
[[nodiscard]] Result<std::vector<uint64_t>> numbers_before(Backend& backend, int64_t before);

}  // namespace neardup::remote
