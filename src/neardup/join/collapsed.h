// A set with equal fingerprints collapsed to the first of them, in order of position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"

namespace neardup::join {

struct Collapsed {
  std::vector<fingerprint::Fingerprint> values;  // distinct, in order of the position where each stands first
  std::vector<uint32_t> positions;               // that position
  std::vector<uint32_t> numbers;                 // for each position of the set, its number in `values`

  /// Cost: one sort and one look-up for each fingerprint. Errors: kCancelled.
  [[nodiscard]] static Result<Collapsed> build(std::span<const fingerprint::Fingerprint> set, int num_threads,
                                               const Context& context);
};

}  // namespace neardup::join
