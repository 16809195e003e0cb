// Whether a store that answers is whole: each document is asked for by all that it must be found by.
#pragma once

#include <cstdint>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/store/check_store.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {

/// Reads every document that is in no open tag, and asks for each by its id and number, by its text, by each of its
/// keys, by each fingerprint as it is and with max_distance bits changed (drawn by its number, so that every table is
/// met by some), by its passages, and by the document that it repeats. Who comes or goes meanwhile is no fault. For
/// stores on servers, which no file tells of: of a folder store::check_store() also reads the bytes. Progress: a stage
/// "check" of documents. Cost: about as many lookups as there are keys, in calls of kCheckedAtOnce documents; one
/// thread. Errors: those of the store, kCancelled.
[[nodiscard]] Result<store::StoreCheck> check_stored(const store::Store& store, const Context& context = {});
inline constexpr size_t kCheckedAtOnce = 100;

}  // namespace neardup::engine
