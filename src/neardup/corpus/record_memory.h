// What long records may take of memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "neardup/base/memory_budget.h"

namespace neardup::corpus {

/// Threads that share it read and work on records up to the light sizes as they like; for longer ones they take a
/// permit of `budget` first, so that those are worked on together only where they fit.
struct RecordMemory {
  /// `long_bytes` are for records with a permit; the threads divide the others among them: `work_bytes` for working on
  /// a record, `raw_bytes` for a batch.
  RecordMemory(uint64_t long_bytes, uint64_t work_bytes, uint64_t raw_bytes, int num_threads)
      : budget(long_bytes),
        light_work_bytes(work_bytes / static_cast<uint64_t>(num_threads)),
        light_raw_bytes(raw_bytes / static_cast<uint64_t>(num_threads)) {}

  MemoryBudget budget;
  uint64_t light_work_bytes;  // what working on a record may take without a permit
  uint64_t light_raw_bytes;   // what a batch that is longer than ReadOptions::batch_bytes may have without one
};

}  // namespace neardup::corpus
