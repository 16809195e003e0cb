// How two MinHash signatures agree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

struct SignatureMatch {
  std::vector<bool> equal;  // by value
  size_t num_equal = 0;
  double jaccard = 0;        // estimated from the values
  double error = 0;          // its standard error
  std::vector<bool> bands;   // by band: whether the two meet in it
  size_t num_bands_met = 0;  // any: the two are candidates
  double probability = 0;    // that two texts of the estimated similarity meet in some band, if bands shared no value
};

/// Requires: both signatures are of this spec. Errors: those of join::make_bands().
[[nodiscard]] Result<SignatureMatch> match_signatures(const recipe::MinHashSpec& spec, std::span<const uint16_t> a,
                                                      std::span<const uint16_t> b);

}  // namespace neardup::engine
