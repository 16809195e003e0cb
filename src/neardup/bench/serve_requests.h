// The requests that a service is loaded with, whole, before the first is sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/bench/arriving.h"
#include "neardup/bench/serve_client.h"
#include "neardup/fingerprint/file.h"

namespace neardup::bench {

/// What a service says of its recipe: header of the files that it takes.
struct ServedRecipe {
  fingerprint::FileHeader header;
  /// Documents of ready values under it.
  [[nodiscard]] ArrivingContent ready_values() const;
};
/// Errors: kIo where nobody answers, or something else than neardup serve.
[[nodiscard]] Result<ServedRecipe> ask_recipe(const LoopbackAddress& server);

/// What a service says of its store.
struct ServedStore {
  uint64_t documents = 0, memory_bytes = 0, disk_bytes = 0;
};
/// Errors: likewise.
[[nodiscard]] Result<ServedStore> ask_store(const LoopbackAddress& server);

/// Made-up documents by the request.
struct RequestRow {
  std::string route;        // "/v1/query"
  ArrivingContent content;  // texts go alone, values in a file of `batch`
  uint64_t seed = 1, first = 0, num_requests = 0, batch = 1;
};
/// Returns POST requests of documents `first`, `first` + 1, ... Errors: none but those of a recipe without values.
[[nodiscard]] Result<std::vector<std::string>> make_requests(const RequestRow& row, const LoopbackAddress& server,
                                                             const ServedRecipe& recipe);

}  // namespace neardup::bench
