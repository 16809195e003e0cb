// A pair of positions, what a join may take, and where its pairs go.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>

#include "neardup/base/context.h"

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

}  // namespace neardup::join
