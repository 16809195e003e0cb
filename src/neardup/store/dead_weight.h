// What erased documents leave behind, and what many small logs cost; and what becomes of both at a checkpoint, beside
// writers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/store/log_joins.h"
#include "neardup/store/number_set.h"
#include "neardup/store/record_file.h"
#include "neardup/store/store_manifest.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// A log that was written again: without the records of erased documents, several that follow each other as one.
struct RewrittenLog {
  std::shared_ptr<const RecordFile> file;
  RecordFiles row;  // of the manifest
  std::vector<std::shared_ptr<const RecordFile>> from;
};

/// So many logs are written again at one checkpoint for what is dead in them; the others wait for the next ones.
inline constexpr size_t kMostRewritten = 4;

/// What is written again, and how much of it.
struct Rewriting {
  const std::vector<std::shared_ptr<const RecordFile>>& files;  // oldest first
  const NumberSet& erased;
  uint64_t last_sequence = 0;  // of the last record of the last of them that counts
  uint64_t most_bytes = 0;     // no joined log is longer
  Effort effort = Effort::kDue;
};

/// Joins small logs (pick_joins()), and writes those again of whose records more than half of the bytes are those of
/// erased documents, or that have no checksums: kMostRewritten at most, oldest first; with Effort::kAll each that has
/// any of these. Files have the numbers from `next_file` on, which is raised. Errors: kIo, kDiskFull, kCorruption,
/// kCancelled.
[[nodiscard]] Result<std::vector<RewrittenLog>> rewrite_logs(const std::string& folder, const Rewriting& what,
                                                             std::atomic<uint64_t>& next_file, const Context& context);

/// Takes the fingerprints of documents that are in `erased` and not in `before` out of the index, some at a time.
/// Errors: those of the index, kCancelled.
[[nodiscard]] Status erase_fingerprints(StoreState& state, const NumberSet& erased, const NumberSet& before,
                                        const Context& context);

}  // namespace neardup::store
