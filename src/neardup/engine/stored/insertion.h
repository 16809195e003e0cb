// What is kept of a run becomes part of a store.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/report/figures.h"

namespace neardup::engine {

/// Returns the inputs that are kept, in the order of preference: in it they are put, so that the store prefers what the
/// run preferred.
[[nodiscard]] std::vector<uint32_t> kept_inputs(const Documents& documents, const Outcome& outcome);

/// Returns what insert_kept() would do, and what the run found in the store. Errors: of reading it.
[[nodiscard]] Result<report::StoreUse> count_use(const RunStore& store, const Documents& documents,
                                                 const std::vector<uint32_t>& kept);

/// Puts `kept` into the store, but for those that are there with the same id and text; an id that is there with another
/// text is replaced. A store that is not there is made, by the recipe and rule of `options`. What was put is durable
/// when it fails or is stopped, and need not be put again. Errors: those of TextStore::create() and put(), kCancelled.
[[nodiscard]] Status insert_kept(RunStore& store, const Documents& documents, const std::vector<uint32_t>& kept,
                                 const DedupOptions& options, const Context& context);

}  // namespace neardup::engine
