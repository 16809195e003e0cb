// Measured fingerprinting: from texts to fingerprints and signatures.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/bench/measurement.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/spec.h"

namespace neardup::bench {

struct FingerprintBench {
  std::vector<std::string> inputs;  // empty: made-up texts
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  recipe::Recipe recipe;
  std::string idf_file;  // of the recipe's fingerprints
  engine::FamilyChoice family = engine::FamilyChoice::kAuto;
  uint64_t count = 0;  // of made-up texts; 0: 100,000
  int num_threads = 0;
};

/// Returns a measurement for each family that is asked for; kAuto: all that the recipe has, MinHash first, but SimHash
/// alone where an IDF file is given. Errors: those of engine::shown_families(), of reading; kCancelled.
[[nodiscard]] Result<std::vector<Measurement>> measure_fingerprinting(const FingerprintBench& bench,
                                                                      const Context& context);

}  // namespace neardup::bench
