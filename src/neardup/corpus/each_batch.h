// Inputs read from the first batch to the last.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/reader.h"

namespace neardup::corpus {

/// Is given a loaded batch and the number of lines of its input before it. Returns whether to go on.
using TakeBatch = std::function<Result<bool>(const Batch& batch, uint64_t lines_before)>;

/// Reads `inputs` in the calling thread, until `take` wants no more. Errors: those of Reader and of `take`; kCancelled.
[[nodiscard]] Status for_each_batch(const std::vector<Input>& inputs, const ReadOptions& options,
                                    const Context& context, const TakeBatch& take);

}  // namespace neardup::corpus
