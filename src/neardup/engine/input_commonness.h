// Learns how common n-grams are in inputs that no run of dedup has read: as commonness_pass.h does from what one left.
#pragma once

#include <memory>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/corpus.h"
#include "neardup/simhash/recipe.h"
#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// What learning may take.
struct CommonnessMeans {
  uint64_t memory_bytes = 0;  // as --memory of the run that is told: the table takes at most an eighth of it
  int num_threads = 0;        // 0 = all cores
  uint64_t seen_bytes = 0;    // for what tells copies, 64 a text; 0 = an eighth of memory_bytes
};

/// Returns the counts that dedup learns from the same inputs (references among them), recipe and memory: over the
/// different texts, copies of one counting once. `read`: within_memory(). Memory: the table, means.seen_bytes,
/// and what reading takes. Cost: two passes over the inputs, the first for the size of the table; where the checksums
/// of the texts do not fit in means.seen_bytes, twice as many for each part of them that does, and trials in between.
/// Errors: those of reading; kCancelled.
[[nodiscard]] Result<std::shared_ptr<const verify::Commonness>> learn_commonness(
    const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const simhash::Recipe& recipe,
    const CommonnessMeans& means, const Context& context);

}  // namespace neardup::engine
