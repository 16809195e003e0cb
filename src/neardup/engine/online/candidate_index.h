// Which stored documents may meet a new one: what the Deduplicator asks before it compares.
//
// It holds them in memory (band_index.h, fingerprint_scan.h); a store that outlives the process does so behind the
// same two questions.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"

namespace neardup::engine {

/// Threads: one at a time.
class CandidateIndex {
 public:
  virtual ~CandidateIndex() = default;
  /// Appends to `found` the numbers of stored documents: of all that Decision::meet() takes for candidates of `side`,
  /// and of few others. In any order, some perhaps twice. Errors: of a store; none in memory.
  [[nodiscard]] virtual Status find(const PairSide& side, std::vector<uint32_t>& found) = 0;
  /// Stores a document, whose number is greater than those before. Errors: as find(); then, and where it throws for
  /// memory, nothing of it is there.
  [[nodiscard]] virtual Status add(uint32_t number, const PairSide& side) = 0;
  /// Takes back the last add(). Never throws.
  virtual void take_back(uint32_t number, const PairSide& side) noexcept = 0;
  [[nodiscard]] virtual uint64_t size_bytes() const = 0;
};

}  // namespace neardup::engine
