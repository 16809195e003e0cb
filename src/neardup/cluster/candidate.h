// A candidate: two documents that may be similar, and how they are delivered.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>

#include "neardup/base/result.h"

namespace neardup::cluster {

/// The distance of two documents that were not compared: more than any two fingerprints or signatures differ.
inline constexpr uint32_t kUnknownDistance = 4095;

/// A candidate: two ranks, better < worse, and the smallest distance seen: of fingerprints in bits, of signatures in
/// values.
struct Candidate {
  uint32_t better = 0;
  uint32_t worse = 0;
  uint32_t distance = kUnknownDistance;
  auto operator<=>(const Candidate&) const = default;
};

/// Delivers all candidates in blocks, sorted by (worse, better), each once; an empty block = the end. A block stays
/// valid until the next call.
using CandidateSource = std::function<Result<std::span<const Candidate>>()>;

}  // namespace neardup::cluster
