// All pairs within k bits of fingerprints in memory.
#pragma once

#include <span>

#include "neardup/fingerprint/value.h"
#include "neardup/join/pair.h"

namespace neardup::join {

/// Delivers every pair a < b with distance(set[a], set[b]) <= max_distance, each once.
/// Memory without a limit: about 10 bytes for each fingerprint up to kMaxNarrowDistance bits, 20 beyond, and 60 for
/// each pair up to a quarter of the set's size. Errors: kInvalidArgument, kMemory (limit too small, says what it
/// takes), kCancelled, what `sink` returns.
[[nodiscard]] Status self_join(std::span<const fingerprint::Fingerprint> set, const JoinOptions& options,
                               const PairSink& sink);

/// Delivers every pair with a in `left`, b in `right` and distance(left[a], right[b]) <= max_distance, each once.
[[nodiscard]] Status cross_join(std::span<const fingerprint::Fingerprint> left,
                                std::span<const fingerprint::Fingerprint> right, const JoinOptions& options,
                                const PairSink& sink);

}  // namespace neardup::join
