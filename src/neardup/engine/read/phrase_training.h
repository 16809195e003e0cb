// Learning phrases from all documents of a corpus, in bounded memory.
#pragma once

#include <string>

#include "neardup/engine/read/count_pass.h"
#include "neardup/feature/phrase_counts.h"

namespace neardup::engine {

/// Reads the corpus twice, counts words and then pairs of the frequent ones, and writes the phrases to `output`. The
/// file is the same for any number of threads and any memory. Memory: as count_documents(), and 32 bytes for each word
/// that is there options.min_count times. On disk, for a while, `output`.words and `output`.pairs. Requires:
/// input.recipe joins no phrases. Errors: those of reading and writing; kCancelled.
[[nodiscard]] Result<CountTotals> train_phrases(const CountInput& input, const feature::PhraseOptions& options,
                                                const std::string& output);

}  // namespace neardup::engine
