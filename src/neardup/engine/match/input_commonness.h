// Learns how common n-grams are in inputs that no run of dedup has read: as commonness_pass.h does from what one left.
#pragma once

#include <memory>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/corpus.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// What learning may take.
struct CommonnessMeans {
  uint64_t memory_bytes = 0;  // as --memory of the run that is told: the table takes at most an eighth of it
  int num_threads = 0;        // 0 = all cores
};

/// Returns the counts that dedup learns from the same inputs (references among them, first), recipe and memory: over
/// the different texts, copies of one and families (families.h) counting once. `read`: within_memory(). Memory: the
/// table, a quarter of means.memory_bytes for checksums and signatures (160 and 256 bytes a text with the default
/// recipe), and what reading takes. Cost: two passes over the inputs.
/// Errors: those of reading; kMemory where there are too many texts; kCancelled.
[[nodiscard]] Result<std::shared_ptr<const verify::Commonness>> learn_commonness(
    const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const recipe::Recipe& recipe,
    const CommonnessMeans& means, const Context& context);

}  // namespace neardup::engine
