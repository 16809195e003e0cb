// join: all pairs of fingerprints within k bits, of one set or between two.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "neardup/base/context.h"
#include "neardup/fingerprint/fingerprint.h"

namespace neardup::join {

/// Two positions in the joined array(s) and the distance of their fingerprints.
struct Pair {
  uint64_t a = 0;
  uint64_t b = 0;
  uint32_t distance = 0;
  auto operator<=>(const Pair&) const = default;
};

struct JoinOptions {
  int max_distance = 3;       // 0..kMaxDistance
  int num_threads = 0;        // 0 = all cores
  uint64_t memory_bytes = 0;  // for working memory beyond the input; 0 = no limit
  Context context = {};
};

/// Receives pairs in blocks, in no fixed order; `thread` < num_threads tells who calls, several may at once.
using PairSink = std::function<Status(std::span<const Pair> pairs, int thread)>;

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
