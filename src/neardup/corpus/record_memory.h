// What long records may take of memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "neardup/base/memory_budget.h"

namespace neardup::corpus {

/// Threads that share it read and work on records up to the light sizes as they like; for longer ones they take a
/// permit of `budget` first, so that those are worked on together only where they fit.
struct RecordMemory {
  /// Of `memory_bytes` in all, `long_bytes` are for records with a permit.
  RecordMemory(uint64_t long_bytes, uint64_t memory_bytes, int num_threads)
      : budget(long_bytes),
        light_work_bytes(memory_bytes / 8 / static_cast<uint64_t>(num_threads)),
        light_raw_bytes(memory_bytes / 64 / static_cast<uint64_t>(num_threads)) {}

  MemoryBudget budget;
  uint64_t light_work_bytes;  // what working on a record may take without a permit
  uint64_t light_raw_bytes;   // what a batch that is longer than ReadOptions::batch_bytes may have without one
};

}  // namespace neardup::corpus
