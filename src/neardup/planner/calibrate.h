// A short measurement of this machine, for the constants of the cost model.
#pragma once

#include <cstdint>

#include "neardup/base/context.h"
#include "neardup/planner/machine.h"

namespace neardup::planner {

/// Measures memory (random reads in working sets of up to `most_bytes`, at most 1 GiB; larger ones are taken from the
/// trend), arithmetic, comparison and sorting, on one thread. What lies behind a disk or a network keeps its default.
/// Each figure is the best of several, for other work on the machine only ever adds. Cost: about two seconds,
/// most_bytes of memory. Errors: kCancelled, kMemory (also where most_bytes is below
/// 4 MiB).
[[nodiscard]] Result<Machine> calibrate(uint64_t most_bytes, const Context& context);

}  // namespace neardup::planner
