// Verdicts and neighbours as members of JSON objects: the same for every face.
#pragma once

#include <string>
#include <string_view>

#include "neardup/engine/online/text_store.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {

/// Appends `"id":...,"verdict":"new|exact|near","duplicate_of":...,"similarity":...,"distance":...`, the last three
/// null for new; then `"estimate":true` and `"repeated":true` where they hold. No braces. An empty `id` is null.
void append_verdict(std::string& out, std::string_view id, const TextVerdict& verdict);

/// Appends `{"id":...,"similarity":...,"distance":...,"exact":true|false}`, with `"estimate":true` where it is one.
void append_neighbour(std::string& out, const store::StoredNeighbour& neighbour);

/// Appends `"verdict":...,"duplicate_of":...,"similarity":...,"distance":...` of append_verdict().
void append_fate(std::string& out, const store::Fate& fate, std::string_view duplicate_of);

/// Returns "new", "exact", "near" or "contained".
[[nodiscard]] std::string_view name_of(store::Kind kind);

}  // namespace neardup::engine
