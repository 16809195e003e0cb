// The search for similar files, measured: the choice of fingerprints alone, and whole trees.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/bench/measurement.h"

namespace neardup::bench {

/// Returns "similar select" (one thread, winnowing of made-up text in memory: count is bytes) and, with `inputs`,
/// "similar" (all files against all, count is files). Errors: those of sif::find_similar().
[[nodiscard]] Result<std::vector<Measurement>> measure_similar(const std::vector<std::string>& inputs, int num_threads,
                                                               const Context& context);

}  // namespace neardup::bench
