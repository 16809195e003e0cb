// A join of a set in memory with one that is read chunk by chunk, however large that is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "neardup/fingerprint/value.h"
#include "neardup/join/disk/source.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::join {

/// Where a stream begins, and who is told how far it has come.
struct StreamSteps {
  uint64_t begin = 0;                                  // so many of the right set are passed over
  std::function<Status(uint64_t position)> done = {};  // all pairs with b < position have been delivered; one thread
};

/// Delivers every pair with a in `left`, b a position in `right`, and distance <= options.max_distance, each once.
/// Tables are made over `left`; the other set passes by on all threads while the next chunk is read. Best where `left`
/// is the far smaller one. Memory: the tables of `left`, and 24 bytes for each fingerprint of a chunk. Errors:
/// kInvalidArgument, kMemory, kCancelled, what `sink` and `right` return. See: Manku, Jain, Das Sarma 2007, section 4
/// (batch queries).
[[nodiscard]] Status cross_join(std::span<const fingerprint::Fingerprint> left, Source& right,
                                const JoinOptions& options, const PairSink& sink, const StreamSteps& steps = {});

}  // namespace neardup::join
