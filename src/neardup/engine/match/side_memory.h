// The memory of a document that is read to be decided about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/engine/match/decision.h"

namespace neardup::engine {

struct SideMemory {
  std::vector<uint16_t> signature, short_signature;
  std::vector<uint32_t> tokens, short_text;

  /// Returns a view of it, and of `fingerprints`; both must outlive it.
  [[nodiscard]] PairSide side(const Hash128& checksum, bool has_features,
                              std::span<const fingerprint::Fingerprint> fingerprints) const {
    return {.checksum = checksum,
            .has_features = has_features,
            .fingerprints = fingerprints,
            .signature = signature,
            .tokens = tokens,
            .short_text = short_text,
            .short_signature = short_signature};
  }
};

}  // namespace neardup::engine
