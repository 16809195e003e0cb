// What `neardup index info` says of a store.
#pragma once

#include <string>

#include "neardup/engine/online/text_store.h"

namespace neardup::cli {

struct StoreFacts {
  const store::Store& store;
  const engine::TextStore* texts = nullptr;  // null where its owner brings fingerprints
  store::Statistics statistics;
  std::string place;
};
/// Returns a line for each fact, with those of its server.
[[nodiscard]] std::string store_facts_text(const StoreFacts& facts);
/// Returns one JSON object, with a line end.
[[nodiscard]] std::string store_facts_json(const StoreFacts& facts);

}  // namespace neardup::cli
