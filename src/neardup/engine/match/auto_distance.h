// The distance that --distance auto takes.
#pragma once

#include <cstdint>

namespace neardup::engine {

inline constexpr int kWidestAutoDistance = 13;

/// Returns the distance that --distance auto takes: the widest, up to kWidestAutoDistance, at which chance alone brings
/// at most half a candidate a document: 13 up to 1 million documents, 12 up to 4, 11 up to 20, 10 up to 100 million,
/// and so on (docs/quality.md).
[[nodiscard]] int auto_distance(uint64_t num_documents);

}  // namespace neardup::engine
