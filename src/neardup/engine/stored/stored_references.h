// References from a store: of its documents those that an input repeats. All others change nothing: references come
// before the inputs in the order of preference, so that each input goes to the first that it repeats.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/context.h"
#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/engine/work_folder.h"

namespace neardup::engine {

/// Returns the id of a document in a store: its own, or "NAME:LINE#CHECKSUM", as the same place of another file of that
/// name has another text.
[[nodiscard]] std::string stored_id(const Documents& documents, uint32_t document);

/// Asks `store`, which is open, for each of `documents` (of the files alone), and leaves its documents that are
/// repeated, in its order, in folder.stored(). Where store.takes_kept those are there, too, that are inputs themselves
/// (the same id and text), and those not that have the id of an input and another text: it is about to take their
/// place. What is there of an earlier run that was stopped is taken. `input`: Row::input of those. Memory: 40 bytes for
/// each of `documents`. Errors: those of the store, of reading and writing; kCancelled.
[[nodiscard]] Status read_stored_references(const RunStore& store, const Documents& documents, uint32_t input,
                                            const DedupOptions& options, const WorkFolder& folder,
                                            const Context& context);

/// Lets inputs that are in the store already stand in its place: they are kept, and what repeats the stored document
/// repeats them. A run that is repeated thus has the results that it had.
void keep_stored_inputs(const Documents& documents, Outcome& outcome);

}  // namespace neardup::engine
