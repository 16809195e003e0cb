// Joins within a memory limit: the sets are cut into parts, and each part is joined with each.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/base/result.h"

namespace neardup::join {

/// How a join is cut so that the work on one pair of parts fits.
struct PartSizes {
  uint64_t left = 0;   // fingerprints in each part of the left (or only) set
  uint64_t right = 0;  // and of the right one
};

/// Positions in a part, and twice as many words, fit in 32 bits.
inline constexpr uint64_t kMaxPartSize = (uint64_t{1} << 31) - 4096;

/// Returns the largest parts that fit in options.memory_bytes (where there is no limit, of kMaxPartSize).
/// Errors: kMemory naming what it takes, where not even small parts fit.
[[nodiscard]] Result<PartSizes> choose_parts(uint64_t left, uint64_t right, bool self, int num_threads,
                                             uint64_t memory_bytes);

/// Returns an upper bound of the working memory for parts of these sizes (right = 0: one set with itself), without
/// what hot buckets and more than the fewest hits may take besides.
[[nodiscard]] uint64_t working_bytes(uint64_t left, uint64_t right, int num_threads);

/// How many hits a thread can hold at least.
inline constexpr uint64_t kFewestHits = 2048;

}  // namespace neardup::join
