// Whether the lists of a server lead to every document that they must lead to, and its counts are those of what is
// there.
#pragma once

#include <cstddef>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/remote/backend.h"
#include "neardup/store/check_store.h"

namespace neardup::remote {

/// Reads every document, those of open tags too, and looks up by what its record says that it must be found: its id,
/// its text, each of its keys and passages, the document that it repeats, and each fingerprint as it is and with
/// max_distance bits changed (drawn by its number, so that every table is met by some). Not its tag, as the list of a
/// tag may be as long as the store. Then compares how many documents and duplicates there are with what the store
/// counted. Who comes or goes meanwhile is no fault, and where anything did, counts are not compared; nor where
/// documents vanish by themselves. StoreCheck::documents: of all. Progress: a stage "check" of documents. Cost: for
/// kCheckedAtOnce documents three exchanges, and one for each kLookedUpAtOnce of their keys or fingerprints; one
/// thread. Errors: those of the backend, kCancelled.
[[nodiscard]] Result<store::StoreCheck> check_lists(Backend& backend, const Context& context = {});
inline constexpr size_t kCheckedAtOnce = 1000, kLookedUpAtOnce = 4096;

}  // namespace neardup::remote
