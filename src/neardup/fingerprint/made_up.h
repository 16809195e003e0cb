// Made-up fingerprints: the same on every machine, for tests and measurements.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/fingerprint/value.h"

namespace neardup::fingerprint {

/// Numbers in the order of a counter (SplitMix64): the same everywhere.
class MadeUpNumbers {
 public:
  explicit MadeUpNumbers(uint64_t seed) : state_(mix64(seed + 1)) {}
  uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15); }
  /// Requires: bound > 0.
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

/// Returns `value` with `count` bits flipped, of which some may be the same.
[[nodiscard]] Fingerprint flip_bits(Fingerprint value, uint64_t count, MadeUpNumbers& numbers);

/// How made-up fingerprints are spread.
enum class Spread {
  kUniform,    // random, one in twenty a neighbour (0..6 bits) of an earlier one
  kClustered,  // 30 % of them in clusters of 10..100,000 that spread over 8 bits, the rest as kUniform
  kBiased,     // as kUniform, but bit i is one with a probability of its own in 0.3..0.7
  kDense,      // 30 % of them in six clusters of members up to 2 bits from their centre: pairs beyond counting
};

/// Returns `count` fingerprints, the same for the same arguments on every machine.
[[nodiscard]] std::vector<fingerprint::Fingerprint> make_fingerprints(uint64_t count, Spread spread, uint64_t seed);

}  // namespace neardup::fingerprint
