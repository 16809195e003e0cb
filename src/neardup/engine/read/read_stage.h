// The read stage: documents -> rows, fingerprints, ids and tokens of one part.
#pragma once

#include <memory>
#include <vector>

#include "neardup/corpus/corpus.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/sources.h"
#include "neardup/engine/work_folder.h"
#include "neardup/feature/idf.h"

namespace neardup::engine {

/// Reads part `shard` of `num_shards` into its folder. A complete part is left as it is; with options.resume an
/// incomplete one is gone on with, else it begins anew. References belong to part 0.
/// Errors: those of reading and writing; kCorruption under options.strict for the first rejected record.
[[nodiscard]] Status read_part(const Sources& sources, const DedupOptions& options,
                               const std::shared_ptr<const feature::Idf>& idf, const WorkFolder& folder, int shard,
                               int num_shards, const Context& context);

}  // namespace neardup::engine
