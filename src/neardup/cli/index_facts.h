// What `neardup index info` shows.
#pragma once

#include <string>

#include "neardup/engine/index/actions.h"

namespace neardup::cli {

/// Returns a line for each figure, for people.
[[nodiscard]] std::string index_facts_text(const engine::IndexFacts& facts);
/// Returns one JSON object and a line feed.
[[nodiscard]] std::string index_facts_json(const engine::IndexFacts& facts);

}  // namespace neardup::cli
