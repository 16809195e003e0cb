// What erased documents leave behind, and what becomes of it at a checkpoint, beside writers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/store/number_set.h"
#include "neardup/store/record_file.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// How much of what may be written again is: what is due, so that checkpoints stay short, or all.
enum class Effort { kDue, kAll };

/// A closed log that was written again without the records of erased documents.
struct RewrittenLog {
  std::shared_ptr<const RecordFile> file;
  uint64_t number = 0;    // in the names of its files
  uint64_t checksum = 0;  // of its places
};

/// So many logs are written again at one checkpoint; the others wait for the next ones.
inline constexpr size_t kMostRewritten = 4;

/// Writes those of `files` again of whose records more than half of the bytes are those of `erased`: kMostRewritten at
/// most, oldest first; with Effort::kAll each that has any. Their files have the numbers from `next_file` on, which is
/// raised. Errors: kIo, kDiskFull, kCorruption, kCancelled.
[[nodiscard]] Result<std::vector<RewrittenLog>> rewrite_dead_logs(
    const std::string& folder, const std::vector<std::shared_ptr<const RecordFile>>& files, const NumberSet& erased,
    std::atomic<uint64_t>& next_file, Effort effort, const Context& context);

/// Takes the fingerprints of documents that are in `erased` and not in `before` out of the index, some at a time.
/// Errors: those of the index, kCancelled.
[[nodiscard]] Status erase_fingerprints(StoreState& state, const NumberSet& erased, const NumberSet& before,
                                        const Context& context);

}  // namespace neardup::store
