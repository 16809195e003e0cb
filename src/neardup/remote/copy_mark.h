// The mark of a store on a server that was made to be copied into: a file that it is given. A store is made with its
// files in one step, so there is no moment in which it is there without the mark.
#pragma once

#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::remote {

/// Returns the mark, which stays with the store: that the copy is done is said elsewhere (set_copied_into()).
[[nodiscard]] store::GivenFile copy_mark();
[[nodiscard]] bool has_copy_mark(const store::StoreSettings& settings);
/// Returns the files that a store was given, but for the mark: what a copy of it is given. Errors: of reading them.
[[nodiscard]] Result<std::vector<store::GivenFile>> files_to_copy(const store::Store& store);

}  // namespace neardup::remote
