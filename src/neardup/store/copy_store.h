// All documents of one store in another one, of whatever kind the two are.
#pragma once

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/store/document_store.h"

namespace neardup::store {

/// Copies all that is in `from` to `to`, which must be empty: documents with their numbers and fates, those of open
/// tags in the same tags; then reads every one of both and compares. What comes to `from` meanwhile is not copied; what
/// is erased there meanwhile may be. Until all is done, and where it fails, nobody opens `to`. Cost: reads `from` twice
/// and `to` once. Errors: kInvalidArgument where `to` is not empty or is another kind of store; kMismatch where the
/// copy is not what was copied, or a tag was begun or ended meanwhile: make it again; those of both; kCancelled.
/// Progress: stages "copy" and "compare" of documents.
[[nodiscard]] Status copy_documents(const Store& from, Store& to, const Context& context = {});

}  // namespace neardup::store
