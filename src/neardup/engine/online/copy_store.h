// A store copied to another place: folders and servers, in any direction.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"

namespace neardup::engine {

struct StoreCopy {
  uint64_t documents = 0;  // that were copied and compared; 0 where is_linked
  bool is_linked = false;  // a folder as a snapshot of another: files are shared, nothing was compared
};

/// Makes a store at `to`, where there is none, of all that is in the one at `from`: the same documents with the same
/// numbers, fates, tags and files. From folder to folder it is EmbeddedStore::snapshot(), else store::copy_documents():
/// each document is read from both afterwards and compared. Where it fails or is stopped nothing is left at `to`; what
/// a process leaves that is killed nobody opens. What comes to `from` meanwhile is not copied. Progress: stages "copy"
/// and "compare" of documents. Errors: those of both stores; kInvalidArgument where something is at `to`; kMismatch
/// where the copy differs; kCancelled.
[[nodiscard]] Result<StoreCopy> copy_store(const std::string& from, const std::string& to, const Context& context = {});

}  // namespace neardup::engine
