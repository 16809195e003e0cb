// What `neardup index info` says of a store of texts.
#pragma once

#include <string>

#include "neardup/engine/online/text_store.h"

namespace neardup::cli {

/// Returns a line for each fact; `place`: of the store, with those of its server.
[[nodiscard]] std::string store_facts_text(const engine::TextStore& store, const store::Statistics& statistics,
                                           const std::string& place);
/// Returns one JSON object, with a line end.
[[nodiscard]] std::string store_facts_json(const engine::TextStore& store, const store::Statistics& statistics,
                                           const std::string& place);

}  // namespace neardup::cli
