// The store of texts behind the service.
#pragma once

#include <memory>
#include <string>

#include "neardup/engine/online/matcher.h"
#include "neardup/server/backend.h"

namespace neardup::server {

/// Returns the backend of an open store that lies at `place` (engine/online/store_place.h).
[[nodiscard]] std::unique_ptr<Backend> make_backend(std::unique_ptr<engine::TextStore> store, const std::string& place);

/// Of two texts: what dedup would make of them alone, why, and where they differ. Texts together longer than
/// kMostExplainedBytes are refused (kUnsupported), as it takes microseconds a word.
[[nodiscard]] Result<Explanation> explain_two(const engine::Matcher& matcher, const engine::TextStoreSettings& settings,
                                              const ExplainedSide& a, const ExplainedSide& b);
inline constexpr size_t kMostExplainedBytes = size_t{1} << 20;

/// Trees of pages that are read at one time take no more: so pages of 4 MiB are read, longer ones are refused.
inline constexpr uint64_t kPageMemoryBytes = uint64_t{256} << 20;

}  // namespace neardup::server
